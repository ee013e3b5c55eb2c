-- "card_state_changes_xid" is in late/: building it here would keep everyone from writing meanwhile.
CREATE TABLE "card_rollups" (
	"integrator_id" uuid NOT NULL,
	"status" text NOT NULL,
	"cards" bigint NOT NULL,
	CONSTRAINT "card_rollups_integrator_id_status_pk" PRIMARY KEY("integrator_id","status")
);
--> statement-breakpoint
CREATE TABLE "rollup_checkpoints" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"xid" "xid8" NOT NULL,
	CONSTRAINT "rollup_checkpoints_single" CHECK ("rollup_checkpoints"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "transfer_rollups" (
	"integrator_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "transfer_rollups_integrator_id_day_kind_pk" PRIMARY KEY("integrator_id","day","kind")
);
--> statement-breakpoint
ALTER TABLE "card_state_changes" ADD COLUMN "xid" "xid8" DEFAULT feed_position() NOT NULL;
--> statement-breakpoint
ALTER TABLE "card_rollups" ADD CONSTRAINT "card_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "transfer_rollups" ADD CONSTRAINT "transfer_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;
