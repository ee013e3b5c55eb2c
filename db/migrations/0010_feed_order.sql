-- Where a transaction stands in the order in which changes become visible: its id, plus a base that is moved when the
-- rows come to another cluster, whose ids begin anew. See db/feed-order.ts. Stable, not immutable: a plan that holds the
-- base must notice when it is replaced.
create function feed_base() returns bigint language sql stable parallel safe
  return 0::bigint;
--> statement-breakpoint
create function feed_position() returns xid8 language sql stable
  return (pg_current_xact_id()::text::bigint + feed_base())::text::xid8;
--> statement-breakpoint
create function feed_horizon() returns xid8 language sql stable parallel safe
  return (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_base())::text::xid8;
--> statement-breakpoint
CREATE TABLE "feed_marks" (
	"id" smallint PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	CONSTRAINT "feed_marks_two" CHECK ("feed_marks"."id" in (1, 2))
);
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "xid" SET DEFAULT feed_position();--> statement-breakpoint
ALTER TABLE "transfers" ALTER COLUMN "xid" SET DEFAULT feed_position();--> statement-breakpoint
ALTER TABLE "books_checkpoints" ADD COLUMN "full_checked_at" timestamp (3) with time zone;