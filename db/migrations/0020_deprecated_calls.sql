CREATE TABLE "deprecated_calls" (
	"integrator_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"day" date NOT NULL,
	"calls" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deprecated_calls_integrator_id_api_key_id_operation_day_pk" PRIMARY KEY("integrator_id","api_key_id","operation","day")
);
--> statement-breakpoint
ALTER TABLE "deprecated_calls" ADD CONSTRAINT "deprecated_calls_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_calls" ADD CONSTRAINT "deprecated_calls_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deprecated_calls_created_at" ON "deprecated_calls" USING btree ("created_at");