-- Sums by day cannot be divided, so all sums begin again, and the rollup adds everything up in the background. Its lock
-- (lib/overview/rollup.ts) waits for a rollup in progress, which would otherwise add sums by day.
SELECT pg_advisory_xact_lock(7203121);--> statement-breakpoint
DELETE FROM "card_rollups";--> statement-breakpoint
DELETE FROM "rollup_checkpoints";--> statement-breakpoint
DROP TABLE "transfer_rollups";--> statement-breakpoint
CREATE TABLE "transfer_rollups" (
	"integrator_id" uuid NOT NULL,
	"quarter" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "transfer_rollups_integrator_id_quarter_kind_pk" PRIMARY KEY("integrator_id","quarter","kind")
);
--> statement-breakpoint
ALTER TABLE "transfer_rollups" ADD CONSTRAINT "transfer_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;
