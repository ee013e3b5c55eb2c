ALTER TABLE "sign_in_failures" ADD COLUMN "is_stranger" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "network" text;