CREATE TABLE "webhook_attempts" (
	"integrator_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"address" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"failure" text,
	"detail" text,
	"request_headers" jsonb NOT NULL,
	"response_headers" jsonb,
	"response_body" text,
	CONSTRAINT "webhook_attempts_integrator_id_event_id_number_pk" PRIMARY KEY("integrator_id","event_id","number"),
	CONSTRAINT "webhook_attempts_response_size" CHECK (octet_length("webhook_attempts"."response_body") <= 16384)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"integrator_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"card_id" uuid,
	"state" text DEFAULT 'pending' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"locked_by" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"last_attempt_at" timestamp (3) with time zone,
	"last_status" smallint,
	"last_failure" text,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_deliveries_integrator_id_event_id_pk" PRIMARY KEY("integrator_id","event_id"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'exhausted', 'stopped')),
	CONSTRAINT "webhook_deliveries_delivered" CHECK (("webhook_deliveries"."state" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null)),
	CONSTRAINT "webhook_deliveries_locked" CHECK ("webhook_deliveries"."locked_by" is null or "webhook_deliveries"."state" = 'pending'),
	CONSTRAINT "webhook_deliveries_counts" CHECK ("webhook_deliveries"."attempts" >= 0 and "webhook_deliveries"."failures" between 0 and 10)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"integrator_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp (3) with time zone,
	"switched_off_at" timestamp (3) with time zone,
	"switched_off_reason" text,
	"failing_since" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_endpoints_previous" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_until" is null)),
	CONSTRAINT "webhook_endpoints_switched_off" CHECK (("webhook_endpoints"."switched_off_at" is null) = ("webhook_endpoints"."switched_off_reason" is null)
        and "webhook_endpoints"."switched_off_reason" in ('gone', 'failing'))
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("integrator_id","event_id") REFERENCES "public"."webhook_deliveries"("integrator_id","event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event" FOREIGN KEY ("integrator_id","event_id") REFERENCES "public"."events"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("integrator_id","due_at") WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_flight" ON "webhook_deliveries" USING btree ("integrator_id","due_at") WHERE "webhook_deliveries"."locked_by" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_missed" ON "webhook_deliveries" USING btree ("integrator_id","event_id") WHERE "webhook_deliveries"."state" in ('exhausted', 'stopped');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_card" ON "webhook_deliveries" USING btree ("integrator_id","card_id","event_id") WHERE "webhook_deliveries"."card_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");