ALTER TABLE "sign_in_failures" ADD COLUMN "is_stranger" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "password_reset_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "password_reset_by" jsonb;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "network" text;--> statement-breakpoint
-- Codes of 50 bits, which a stolen hash reveals. Setting up the second factor again makes new ones.
DELETE FROM "recovery_codes";
