CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"secret_checks" text[] NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "processes_kind" CHECK ("processes"."kind" in ('server', 'worker', 'command')),
	CONSTRAINT "processes_secrets" CHECK (cardinality("processes"."secret_checks") > 0)
);
--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "earlier_secret_checks" text[] DEFAULT '{}' NOT NULL;