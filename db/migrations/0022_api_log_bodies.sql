CREATE TABLE "api_log_bodies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integrator_id" uuid NOT NULL,
	"request" text NOT NULL,
	"response" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "api_log_bodies_size" CHECK (octet_length("api_log_bodies"."request") <= 20000 and octet_length("api_log_bodies"."response") <= 20000)
);
--> statement-breakpoint
CREATE TABLE "api_log_hours" (
	"integrator_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"operation" text NOT NULL,
	"code" text NOT NULL,
	"range" smallint NOT NULL,
	"requests" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "api_log_hours_integrator_id_hour_operation_code_range_pk" PRIMARY KEY("integrator_id","hour","operation","code","range")
);
--> statement-breakpoint
ALTER TABLE "api_log" ADD COLUMN "api_version" text;--> statement-breakpoint
ALTER TABLE "api_log" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "api_log" ADD COLUMN "replayed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_log" ADD COLUMN "bodies" text;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "log_bodies" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_log_bodies" ADD CONSTRAINT "api_log_bodies_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_log_hours" ADD CONSTRAINT "api_log_hours_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_log_bodies_age" ON "api_log_bodies" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "api_log_hours_age" ON "api_log_hours" USING btree ("created_at");--> statement-breakpoint
-- "api_log_failures" is in late/: building it here would keep everyone from writing meanwhile.
UPDATE "integrators" SET "log_bodies" = true WHERE "environment" = 'sandbox';
