ALTER TABLE "integrators" ADD COLUMN "clock_offset_s" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "clock_target_s" integer;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "clock_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "integrators_clock" ON "integrators" USING btree ("id") WHERE "integrators"."clock_since" is not null;--> statement-breakpoint
ALTER TABLE "integrators" ADD CONSTRAINT "integrators_clock_live" CHECK ("integrators"."environment" = 'sandbox' or "integrators"."clock_since" is null);--> statement-breakpoint
ALTER TABLE "integrators" ADD CONSTRAINT "integrators_clock_since" CHECK (("integrators"."clock_since" is null) = ("integrators"."clock_offset_s" = 0 and "integrators"."clock_target_s" is null));--> statement-breakpoint
ALTER TABLE "integrators" ADD CONSTRAINT "integrators_clock_range" CHECK ("integrators"."clock_offset_s" between 0 and 315360000 and "integrators"."clock_target_s" between 0 and 315360000);