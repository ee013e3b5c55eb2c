-- runs-with: 1795884600180

-- Since when the operator has stopped all changes: of one account, and of the whole installation.
alter table "integrators" add column "stopped_at" timestamp (3) with time zone;
--> statement-breakpoint
alter table "installation" add column "read_only_since" timestamp (3) with time zone;
