CREATE TABLE "installation" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_check" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"integrator_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_integrator_id_staff_id_hash_pk" PRIMARY KEY("integrator_id","staff_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name_hash" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_links" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"role" text,
	"staff_id" uuid,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "staff_links_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "staff_links_kind" CHECK ("staff_links"."kind" in ('invitation', 'password_reset')),
	CONSTRAINT "staff_links_role" CHECK ("staff_links"."role" in ('owner', 'admin', 'operator', 'viewer')),
	CONSTRAINT "staff_links_subject" CHECK (("staff_links"."role" is null) <> ("staff_links"."staff_id" is null))
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"integrator_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"confirmed_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"address" text,
	"agent" text
);
--> statement-breakpoint
DROP INDEX "staff_email";--> statement-breakpoint
ALTER TABLE "staff" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "second_factor_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "totp_secret" text;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "totp_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "totp_step" bigint;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "signed_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_links" ADD CONSTRAINT "staff_links_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_links" ADD CONSTRAINT "staff_links_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_failures_name" ON "sign_in_failures" USING btree ("name_hash","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_address" ON "sign_in_failures" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_age" ON "sign_in_failures" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_links_token" ON "staff_links" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_sessions_token" ON "staff_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "staff_sessions_staff" ON "staff_sessions" USING btree ("integrator_id","staff_id","created_at");--> statement-breakpoint
CREATE INDEX "staff_sessions_age" ON "staff_sessions" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email")) WHERE "staff"."removed_at" is null;