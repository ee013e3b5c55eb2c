CREATE TABLE "webhook_previous_secrets" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_previous_secrets_integrator_id_id_pk" PRIMARY KEY("integrator_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_previous_secrets" ADD CONSTRAINT "webhook_previous_secrets_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_previous_secrets_age" ON "webhook_previous_secrets" USING btree ("created_at");--> statement-breakpoint
INSERT INTO "webhook_previous_secrets" ("integrator_id", "id", "secret", "created_at")
SELECT "integrator_id", gen_random_uuid(), "previous_secret", "previous_until" - interval '24 hours'
FROM "webhook_endpoints" WHERE "previous_until" > clock_timestamp();
