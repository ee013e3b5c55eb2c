ALTER TABLE "integrators" ADD CONSTRAINT "integrators_in_environment" UNIQUE("environment","id");
--> statement-breakpoint
CREATE TABLE "inbox_notifications" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event" text,
	"webhook_id" uuid,
	"headers" jsonb NOT NULL,
	"body" text NOT NULL,
	"secret" text,
	"fault" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbox_notifications_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "inbox_notifications_secret" CHECK ("inbox_notifications"."secret" in ('current', 'previous')),
	CONSTRAINT "inbox_notifications_verdict" CHECK (("inbox_notifications"."secret" is null) <> ("inbox_notifications"."fault" is null)),
	CONSTRAINT "inbox_notifications_size" CHECK (octet_length("inbox_notifications"."body") <= 3 * 65536)
);
--> statement-breakpoint
CREATE TABLE "sandbox_inboxes" (
	"integrator_id" uuid PRIMARY KEY NOT NULL,
	"environment" text DEFAULT 'sandbox' NOT NULL,
	"token" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "sandbox_inboxes_environment" CHECK ("sandbox_inboxes"."environment" = 'sandbox'),
	CONSTRAINT "sandbox_inboxes_hash_form" CHECK ("sandbox_inboxes"."token_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "inbox_notifications" ADD CONSTRAINT "inbox_notifications_inbox" FOREIGN KEY ("integrator_id") REFERENCES "public"."sandbox_inboxes"("integrator_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sandbox_inboxes" ADD CONSTRAINT "sandbox_inboxes_integrator" FOREIGN KEY ("environment","integrator_id") REFERENCES "public"."integrators"("environment","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "inbox_notifications_age" ON "inbox_notifications" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_inboxes_token" ON "sandbox_inboxes" USING btree ("token_hash");
