-- What the generated statements below use. Both extensions come with PostgreSQL and are trusted: a database's owner may make
-- them. They search parts of names and narratives.
create extension if not exists pg_trgm;
--> statement-breakpoint
create extension if not exists btree_gin;
--> statement-breakpoint

-- Text as searches compare it: without case, accents, width, and other differences in how the same letters are written
-- (Unicode's compatibility decomposition, NFKD, without its combining marks). Lowercase and then uppercase, by Unicode's
-- full mappings, because neither alone is enough: `ẞ`, `ß`, and `ss` are the same, and so are the three sigmas.
create function search_text(value text) returns text language sql immutable strict parallel safe
  return upper(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g') collate pg_catalog."und-x-icu"));
--> statement-breakpoint

-- Where a transaction stands in the order in which changes become visible: its id, plus a base that is moved when the
-- rows come to another cluster, whose ids begin anew. See db/feed-order.ts. Stable, not immutable: a plan that holds the
-- base must notice when it is replaced.
create function feed_base() returns bigint language sql stable parallel safe
  return 0::bigint;
--> statement-breakpoint

-- The position of a row in the feed: the latest of its own transaction and those that had ended when it was written. A
-- transaction may be older than one whose lock it waited for; its own id alone would place its events before that one's.
-- It stays at or above the transaction's own id, and below everything that begins later, so readers skip nothing.
create function feed_position() returns xid8 language sql stable
  return (greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
    + feed_base())::text::xid8;
--> statement-breakpoint

create function feed_horizon() returns xid8 language sql stable parallel safe
  return (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_base())::text::xid8;
--> statement-breakpoint

-- Generated from db/schema, without the indexes that late/ builds afterward.
CREATE TABLE "approvals" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"operation" text NOT NULL,
	"target_id" uuid,
	"request" jsonb,
	"card_id" uuid,
	"cards" integer NOT NULL,
	"amount" bigint,
	"requester_id" uuid NOT NULL,
	"requested_by" jsonb NOT NULL,
	"idempotency_key" text,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decider_id" uuid,
	"decided_by" jsonb,
	"decided_at" timestamp (3) with time zone,
	"comment" text,
	CONSTRAINT "approvals_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "approvals_status" CHECK ("approvals"."status" in ('waiting', 'approved', 'rejected', 'canceled', 'expired')),
	CONSTRAINT "approvals_two_people" CHECK ("approvals"."status" not in ('approved', 'rejected') or ("approvals"."decider_id" is not null and "approvals"."decider_id" <> "approvals"."requester_id")),
	CONSTRAINT "approvals_own_end" CHECK ("approvals"."status" in ('approved', 'rejected') or "approvals"."decider_id" is null or ("approvals"."status" = 'canceled' and "approvals"."decider_id" = "approvals"."requester_id")),
	CONSTRAINT "approvals_decided" CHECK (("approvals"."status" = 'waiting') = ("approvals"."decided_at" is null) and ("approvals"."decider_id" is null) = ("approvals"."decided_by" is null)),
	CONSTRAINT "approvals_comment" CHECK ("approvals"."comment" is null or "approvals"."status" = 'rejected'),
	CONSTRAINT "approvals_amount" CHECK ("approvals"."amount" between 1 and 9007199254740991),
	CONSTRAINT "approvals_cards" CHECK ("approvals"."cards" >= 0 and ("approvals"."card_id" is null or "approvals"."cards" = 1))
);
--> statement-breakpoint
CREATE TABLE "unapproved_moves" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "unapproved_moves_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "unapproved_moves_amount" CHECK ("unapproved_moves"."amount" between 1 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "bulk_items" (
	"integrator_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"card_id" uuid NOT NULL,
	"amount" bigint,
	"narrative" text,
	"seen_version" bigint,
	"level" text,
	"restores" jsonb,
	"replaced" jsonb,
	"left_version" integer,
	"state" text DEFAULT 'waiting' NOT NULL,
	"code" text,
	"detail" text,
	CONSTRAINT "bulk_items_integrator_id_job_id_position_pk" PRIMARY KEY("integrator_id","job_id","position"),
	CONSTRAINT "bulk_items_state" CHECK ("bulk_items"."state" in ('waiting', 'done', 'unchanged', 'refused', 'canceled')),
	CONSTRAINT "bulk_items_level" CHECK ("bulk_items"."level" in ('cardholder', 'staff', 'compliance')),
	CONSTRAINT "bulk_items_code" CHECK (("bulk_items"."code" is null) = ("bulk_items"."detail" is null))
);
--> statement-breakpoint
CREATE TABLE "bulk_jobs" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"operation" text NOT NULL,
	"mode" text NOT NULL,
	"undoes" uuid,
	"is_check" boolean NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"terms" jsonb NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"canceled" integer DEFAULT 0 NOT NULL,
	"amount" bigint DEFAULT 0 NOT NULL,
	"actor" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"address" text,
	"agent" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "bulk_jobs_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "bulk_jobs_operation" CHECK ("bulk_jobs"."operation" in ('freeze', 'unfreeze', 'close', 'credit', 'debit', 'set_spending_controls')),
	CONSTRAINT "bulk_jobs_mode" CHECK ("bulk_jobs"."mode" in ('each', 'all_or_nothing')),
	CONSTRAINT "bulk_jobs_state" CHECK ("bulk_jobs"."state" in ('running', 'completed', 'canceled')),
	CONSTRAINT "bulk_jobs_ended" CHECK (("bulk_jobs"."state" = 'running') = ("bulk_jobs"."ended_at" is null)),
	CONSTRAINT "bulk_jobs_counts" CHECK (least("bulk_jobs"."done", "bulk_jobs"."unchanged", "bulk_jobs"."refused", "bulk_jobs"."canceled") >= 0
        and ("bulk_jobs"."total" = 0 or ("bulk_jobs"."done" + "bulk_jobs"."unchanged" + "bulk_jobs"."refused" + "bulk_jobs"."canceled" < "bulk_jobs"."total") = ("bulk_jobs"."state" = 'running')))
);
--> statement-breakpoint
CREATE TABLE "card_state_changes" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"card_id" uuid NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"reason" text,
	"level" text,
	"lifted" boolean DEFAULT false NOT NULL,
	"until" timestamp (3) with time zone,
	"actor" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"xid" "xid8" DEFAULT feed_position() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "card_state_changes_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "card_state_changes_from" CHECK ("card_state_changes"."from_status" in ('active', 'frozen')),
	CONSTRAINT "card_state_changes_to" CHECK ("card_state_changes"."to_status" in ('active', 'frozen', 'closed')),
	CONSTRAINT "card_state_changes_reason" CHECK ("card_state_changes"."reason" in ('cardholder_request', 'lost', 'stolen', 'suspected_fraud', 'too_many_declines', 'compromised', 'inactivity', 'internal_review', 'compliance', 'other')),
	CONSTRAINT "card_state_changes_level" CHECK ("card_state_changes"."level" in ('cardholder', 'staff', 'compliance')),
	CONSTRAINT "card_state_changes_freeze" CHECK (("card_state_changes"."level" is not null) = ("card_state_changes"."from_status" = 'frozen' and "card_state_changes"."to_status" <> 'closed' or "card_state_changes"."to_status" = 'frozen'))
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"currency" text NOT NULL,
	"cardholder_id" uuid NOT NULL,
	"card_name" text NOT NULL,
	"first_six" text NOT NULL,
	"last4" text NOT NULL,
	"design_type" text NOT NULL,
	"single_use" boolean NOT NULL,
	"provider" text NOT NULL,
	"validity_days" integer NOT NULL,
	"replaces" uuid,
	"replaced_by" uuid,
	"metadata" jsonb NOT NULL,
	"status_version" integer DEFAULT 1 NOT NULL,
	"freezes" jsonb,
	"cover_outstanding" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cards_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "cards_cover_outstanding" CHECK ("cards"."cover_outstanding" >= 0),
	CONSTRAINT "cards_number" CHECK ("cards"."first_six" ~ '^[0-9]{6}$' and "cards"."last4" ~ '^[0-9]{4}$'),
	CONSTRAINT "cards_freeze_levels" CHECK ("cards"."freezes" <> '{}' and "cards"."freezes" - array['cardholder', 'staff', 'compliance'] = '{}'),
	CONSTRAINT "cards_freeze_whole" CHECK (not jsonb_path_exists("cards"."freezes", '$.* ? (!(@.frozen_at.type() == "string" && @.actor.type() == "object" && (@.until == null || @.until.type() == "string") && (@.reason == null || @.reason == "cardholder_request" || @.reason == "lost" || @.reason == "stolen" || @.reason == "suspected_fraud" || @.reason == "too_many_declines" || @.reason == "compromised" || @.reason == "inactivity" || @.reason == "internal_review" || @.reason == "compliance" || @.reason == "other") && (@.reason != "other" || @.comment.type() == "string")))'))
);
--> statement-breakpoint
CREATE TABLE "api_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integrator_id" uuid,
	"actor" jsonb,
	"operation" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" smallint NOT NULL,
	"code" text,
	"detail" text,
	"card_id" uuid,
	"duration_ms" integer NOT NULL,
	"request_id" text NOT NULL,
	"address" text,
	"api_version" text,
	"idempotency_key" text,
	"replayed" boolean DEFAULT false NOT NULL,
	"bodies" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_log_bodies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integrator_id" uuid NOT NULL,
	"request" text NOT NULL,
	"response" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "api_log_bodies_size" CHECK (octet_length("api_log_bodies"."request") <= 20000 and octet_length("api_log_bodies"."response") <= 20000)
);
--> statement-breakpoint
CREATE TABLE "api_log_hours" (
	"integrator_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"operation" text NOT NULL,
	"code" text NOT NULL,
	"range" smallint NOT NULL,
	"requests" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "api_log_hours_integrator_id_hour_operation_code_range_pk" PRIMARY KEY("integrator_id","hour","operation","code","range")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"actor" jsonb NOT NULL,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" uuid NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"address" text,
	"agent" text,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "audit_log_integrator_id_id_pk" PRIMARY KEY("integrator_id","id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"transfer_id" uuid,
	"api_version" text NOT NULL,
	"content" text NOT NULL,
	"xid" "xid8" DEFAULT feed_position() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "events_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "events_subject" CHECK ("events"."subject_type" in ('card', 'float', 'account', 'cardholder')),
	CONSTRAINT "events_sequence_first" CHECK ("events"."sequence" >= 1),
	CONSTRAINT "events_content_size" CHECK (octet_length("events"."content") < 40000)
);
--> statement-breakpoint
CREATE TABLE "idempotent_requests" (
	"integrator_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"operation" text,
	"status" smallint NOT NULL,
	"content_type" text NOT NULL,
	"body" text,
	"recipient_id" uuid,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "idempotent_requests_integrator_id_key_pk" PRIMARY KEY("integrator_id","key"),
	CONSTRAINT "idempotent_requests_key" CHECK (length("idempotent_requests"."key") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "feed_marks" (
	"id" smallint PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	CONSTRAINT "feed_marks_two" CHECK ("feed_marks"."id" in (1, 2))
);
--> statement-breakpoint
CREATE TABLE "inbox_notifications" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event" text,
	"webhook_id" uuid,
	"headers" jsonb NOT NULL,
	"body" text NOT NULL,
	"endpoint_id" uuid,
	"secret" text,
	"fault" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbox_notifications_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "inbox_notifications_secret" CHECK ("inbox_notifications"."secret" in ('current', 'previous')),
	CONSTRAINT "inbox_notifications_verdict" CHECK (("inbox_notifications"."secret" is null) <> ("inbox_notifications"."fault" is null) and ("inbox_notifications"."secret" is null) = ("inbox_notifications"."endpoint_id" is null)),
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
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integrator_id" uuid,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"suffix" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"maker_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"end_announced_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_form" CHECK ("api_keys"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_owner" CHECK (("api_keys"."integrator_id" is null) = ("api_keys"."scopes" = array['processor']))
);
--> statement-breakpoint
CREATE TABLE "cardholders" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone_number" text NOT NULL,
	"id_type" text NOT NULL,
	"id_last4" text NOT NULL,
	"address" jsonb NOT NULL,
	"user_photo" text,
	"verified" boolean NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"erased_at" timestamp (3) with time zone,
	"erasure_passes" smallint DEFAULT 0 NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cardholders_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "cardholders_id_last4" CHECK (length("cardholders"."id_last4") <= 4),
	CONSTRAINT "cardholders_erasure" CHECK ("cardholders"."erasure_passes" = 0 or "cardholders"."erasure_passes" between 1 and 2 and "cardholders"."erased_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "deprecated_calls" (
	"integrator_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"day" date NOT NULL,
	"calls" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deprecated_calls_integrator_id_api_key_id_operation_day_pk" PRIMARY KEY("integrator_id","api_key_id","operation","day")
);
--> statement-breakpoint
CREATE TABLE "deprecated_uses" (
	"integrator_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"calls" integer NOT NULL,
	"first_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deprecated_uses_integrator_id_api_key_id_operation_pk" PRIMARY KEY("integrator_id","api_key_id","operation")
);
--> statement-breakpoint
CREATE TABLE "integrators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"business_name" text NOT NULL,
	"business_address" text NOT NULL,
	"domain" text NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"contact_number" text NOT NULL,
	"country" text NOT NULL,
	"registration_number" text NOT NULL,
	"program_name" text,
	"card_color" text,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"currency" text NOT NULL,
	"environment" text NOT NULL,
	"api_version" text NOT NULL,
	"low_balance_threshold" bigint,
	"idempotency_required" boolean DEFAULT false NOT NULL,
	"freeze_reason_required" boolean DEFAULT false NOT NULL,
	"auto_freeze" jsonb,
	"idle_freeze_days" smallint,
	"idle_fill_after" uuid,
	"spending_controls" jsonb,
	"approval" jsonb,
	"approval_since" timestamp (3) with time zone,
	"log_bodies" boolean DEFAULT false NOT NULL,
	"second_factor_required" boolean DEFAULT false NOT NULL,
	"vouched" boolean DEFAULT false NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	"clock_offset_s" integer DEFAULT 0 NOT NULL,
	"clock_target_s" integer,
	"clock_since" timestamp (3) with time zone,
	"suspended_at" timestamp (3) with time zone,
	"books_unbalanced_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integrators_vouched" UNIQUE("vouched","id"),
	CONSTRAINT "integrators_in_environment" UNIQUE("environment","id"),
	CONSTRAINT "integrators_environment" CHECK ("integrators"."environment" in ('sandbox', 'live')),
	CONSTRAINT "integrators_clock_live" CHECK ("integrators"."environment" = 'sandbox' or "integrators"."clock_since" is null),
	CONSTRAINT "integrators_clock_since" CHECK (("integrators"."clock_since" is null) = ("integrators"."clock_offset_s" = 0 and "integrators"."clock_target_s" is null)),
	CONSTRAINT "integrators_clock_range" CHECK ("integrators"."clock_offset_s" between 0 and 315360000 and "integrators"."clock_target_s" between 0 and 315360000),
	CONSTRAINT "integrators_idle_freeze" CHECK ("integrators"."idle_freeze_days" between 7 and 730),
	CONSTRAINT "integrators_auto_freeze" CHECK (jsonb_path_exists("integrators"."auto_freeze", '$ ? (@.declines >= 2 && @.declines <= 100 && @.within_minutes >= 1 && @.within_minutes <= 1440 && (@.reasons == null || @.reasons[0].type() == "string"))')),
	CONSTRAINT "integrators_approval" CHECK (jsonb_path_exists("integrators"."approval", '$ ? (@.threshold >= 1 && @.threshold <= 9007199254740991 && @.for_keys.type() == "boolean")')),
	CONSTRAINT "integrators_approval_since" CHECK (("integrators"."approval" is null) = ("integrators"."approval_since" is null)),
	CONSTRAINT "integrators_card_color" CHECK ("integrators"."card_color" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "integrators_currency" CHECK ("integrators"."currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "integrators_threshold" CHECK ("integrators"."low_balance_threshold" between 1 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "books_checkpoints" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"xid" "xid8" NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"full_checked_at" timestamp (3) with time zone,
	CONSTRAINT "books_checkpoints_single" CHECK ("books_checkpoints"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"integrator_id" uuid NOT NULL,
	"transfer_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"account_version" bigint,
	"balance_after" bigint,
	CONSTRAINT "entries_integrator_id_transfer_id_account_id_pk" PRIMARY KEY("integrator_id","transfer_id","account_id"),
	CONSTRAINT "entries_amount" CHECK ("entries"."amount" <> 0),
	CONSTRAINT "entries_version" CHECK ("entries"."account_version" >= 1),
	CONSTRAINT "entries_running" CHECK (("entries"."account_version" is null) = ("entries"."balance_after" is null)),
	CONSTRAINT "entries_safe" CHECK ("entries"."balance_after" between -9007199254740991 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"rank" smallint NOT NULL,
	"currency" text NOT NULL,
	"balance" bigint,
	"held" bigint,
	"version" bigint DEFAULT 0 NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	"status" text,
	"expires_at" timestamp (3) with time zone,
	"freeze_due_at" timestamp (3) with time zone,
	"idle_due_at" timestamp (3) with time zone,
	"single_use" boolean,
	"spending_controls" jsonb,
	"limit_uses" jsonb,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "ledger_accounts_currency" UNIQUE("integrator_id","id","currency"),
	CONSTRAINT "ledger_accounts_idle_due" CHECK ("ledger_accounts"."idle_due_at" is null or "ledger_accounts"."status" = 'active'),
	CONSTRAINT "ledger_accounts_freeze_due" CHECK ("ledger_accounts"."freeze_due_at" is null or "ledger_accounts"."status" = 'frozen'),
	CONSTRAINT "ledger_accounts_rank" CHECK ("ledger_accounts"."rank" = case "ledger_accounts"."kind" when 'card' then 1 when 'float' then 2 else 3 end),
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" in ('card', 'float', 'deficit', 'bank', 'network')),
	CONSTRAINT "ledger_accounts_status" CHECK ("ledger_accounts"."status" in ('active', 'frozen', 'closed')),
	CONSTRAINT "ledger_accounts_outside" CHECK (("ledger_accounts"."kind" in ('bank', 'network')) = ("ledger_accounts"."balance" is null) and ("ledger_accounts"."balance" is null) = ("ledger_accounts"."held" is null)),
	CONSTRAINT "ledger_accounts_card" CHECK (("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."status" is not null) and ("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."expires_at" is not null) and ("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."single_use" is not null)),
	CONSTRAINT "ledger_accounts_available" CHECK (case "ledger_accounts"."kind" when 'deficit' then "ledger_accounts"."balance" <= 0 and "ledger_accounts"."held" = 0 else "ledger_accounts"."balance" - "ledger_accounts"."held" >= 0 end),
	CONSTRAINT "ledger_accounts_controls" CHECK ("ledger_accounts"."kind" = 'card' or num_nonnulls("ledger_accounts"."spending_controls", "ledger_accounts"."limit_uses") = 0),
	CONSTRAINT "ledger_accounts_held" CHECK ("ledger_accounts"."held" >= 0),
	CONSTRAINT "ledger_accounts_safe" CHECK ("ledger_accounts"."balance" between -9007199254740991 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"debit_account_id" uuid NOT NULL,
	"credit_account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"idempotency_key" text,
	"request_id" text NOT NULL,
	"xid" "xid8" DEFAULT feed_position() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "transfers_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "transfers_kind" CHECK ("transfers"."kind" in ('float_top_up', 'card_credit', 'card_debit', 'card_sweep', 'card_purchase', 'card_refund', 'cover', 'cover_return', 'deficit_cover', 'deficit_repayment')),
	CONSTRAINT "transfers_amount" CHECK ("transfers"."amount" between 1 and 1000000000000),
	CONSTRAINT "transfers_accounts" CHECK ("transfers"."debit_account_id" <> "transfers"."credit_account_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"staff_id" uuid,
	"email" text NOT NULL,
	"about_id" uuid,
	"content" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"is_claimed" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"last_failure" text,
	"last_answer" text,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "messages_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "messages_state" CHECK ("messages"."state" in ('waiting', 'sent', 'failed', 'kept', 'withdrawn')),
	CONSTRAINT "messages_content" CHECK ("messages"."content" is not null or "messages"."state" <> 'waiting'),
	CONSTRAINT "messages_sent" CHECK (("messages"."state" = 'sent') = ("messages"."sent_at" is not null)),
	CONSTRAINT "messages_counts" CHECK ("messages"."attempts" >= 0 and "messages"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "personal_values" (
	"integrator_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"cardholder_id" uuid NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "personal_values_integrator_id_record_id_pk" PRIMARY KEY("integrator_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"secret_checks" text[] NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "processes_kind" CHECK ("processes"."kind" in ('server', 'worker', 'command')),
	CONSTRAINT "processes_secrets" CHECK (cardinality("processes"."secret_checks") > 0)
);
--> statement-breakpoint
CREATE TABLE "processor_operations" (
	"reference" text PRIMARY KEY NOT NULL,
	"operation" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" smallint NOT NULL,
	"content_type" text NOT NULL,
	"body" text NOT NULL,
	"integrator_id" uuid,
	"transaction_id" uuid,
	"awaits" text,
	"releases" bigint,
	"ends_hold" boolean,
	"takes_back" text,
	"takes_back_kind" text,
	"api_key_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "processor_operations_awaits" CHECK (num_nulls(awaits, releases, ends_hold) in (0, 3)),
	CONSTRAINT "processor_operations_takes_back" CHECK (("processor_operations"."takes_back" is null) = ("processor_operations"."takes_back_kind" is null) and "processor_operations"."takes_back_kind" in ('capture', 'posting', 'refund')),
	CONSTRAINT "processor_operations_reference" CHECK (length("processor_operations"."reference") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "unmatched_facts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"operation" text NOT NULL,
	"fingerprint" text NOT NULL,
	"reason" text NOT NULL,
	"message" json NOT NULL,
	"personal" json,
	"authorization_reference" text,
	"authorization_id" uuid,
	"card_id" uuid,
	"api_key_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "unmatched_facts_content" UNIQUE("reference","operation","fingerprint"),
	CONSTRAINT "unmatched_facts_operation" CHECK ("unmatched_facts"."operation" in ('createAuthorization', 'createCapture', 'createIncrement', 'createPosting', 'createRefund', 'createReversal', 'createReversalByReference')),
	CONSTRAINT "unmatched_facts_reason" CHECK ("unmatched_facts"."reason" in ('authorization_not_found', 'card_not_found', 'transaction_not_found', 'card_conflict', 'currency_mismatch', 'reference_reused', 'refused', 'not_recorded'))
);
--> statement-breakpoint
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
CREATE TABLE "spend_rollups" (
	"integrator_id" uuid NOT NULL,
	"span" text NOT NULL,
	"start" timestamp (3) with time zone NOT NULL,
	"category" text NOT NULL,
	"country" text NOT NULL,
	"purchased" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"transactions" bigint NOT NULL,
	CONSTRAINT "spend_rollups_integrator_id_span_start_category_country_pk" PRIMARY KEY("integrator_id","span","start","category","country"),
	CONSTRAINT "spend_rollups_span" CHECK ("spend_rollups"."span" in ('quarter', 'day'))
);
--> statement-breakpoint
CREATE TABLE "transfer_rollups" (
	"integrator_id" uuid NOT NULL,
	"quarter" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "transfer_rollups_integrator_id_quarter_kind_pk" PRIMARY KEY("integrator_id","quarter","kind")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" text PRIMARY KEY NOT NULL,
	"installation_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"environment" text NOT NULL,
	"public_url" text,
	"secret_check" text NOT NULL,
	"earlier_secret_checks" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "installation_one_row" CHECK ("installation"."id" = 'installation'),
	CONSTRAINT "installation_environment" CHECK ("installation"."environment" in ('sandbox', 'live'))
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
	"is_stranger" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"email_vouched" boolean DEFAULT false NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"totp_secret" text,
	"totp_confirmed_at" timestamp (3) with time zone,
	"totp_step" bigint,
	"password_reset_at" timestamp (3) with time zone,
	"password_reset_by" jsonb,
	"signed_in_at" timestamp (3) with time zone,
	"muted_topics" text[] DEFAULT '{}' NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "staff_role" CHECK ("staff"."role" in ('owner', 'admin', 'operator', 'viewer'))
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
	"network" text,
	"agent" text
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"card_id" uuid NOT NULL,
	"transfer_id" uuid,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"requested_amount" bigint,
	"currency" text NOT NULL,
	"account_version" bigint,
	"card_balance_before" bigint NOT NULL,
	"card_balance_after" bigint NOT NULL,
	"narrative" text,
	"merchant" jsonb,
	"as_received" jsonb,
	"merchant_amount" bigint,
	"merchant_currency" text,
	"occurred_at" timestamp (3) with time zone,
	"authorized_as" jsonb,
	"decline_reason" text,
	"decline_explanation" text,
	"decline_forced" boolean DEFAULT false NOT NULL,
	"held_before" bigint,
	"approved_by" text,
	"overruled_decline" text,
	"authorization_id" uuid,
	"increment_of" uuid,
	"posted_as" text,
	"covered_float" bigint,
	"covered_deficit" bigint,
	"cover_of" uuid,
	"refund_of" uuid,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"refund_exceeds" boolean,
	"takes_back" uuid,
	"taken_back" bigint DEFAULT 0 NOT NULL,
	"hold_amount" bigint,
	"hold_captured" bigint,
	"hold_released" bigint,
	"hold_expires_at" timestamp (3) with time zone,
	"counted" bigint,
	"counted_at" timestamp (3) with time zone,
	"actor" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "transactions_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "transactions_type" CHECK (type in ('credit', 'debit', 'deduct', 'deduct-reversal', 'verification')),
	CONSTRAINT "transactions_status" CHECK (status in ('authorized', 'captured', 'settled', 'declined', 'reversed', 'expired')),
	CONSTRAINT "transactions_amount" CHECK (case type when 'verification' then amount = 0 and status in ('authorized', 'declined')
      else amount between 1 and 9007199254740991 end),
	CONSTRAINT "transactions_requested" CHECK (requested_amount is null or coalesce(requested_amount > hold_amount, false)),
	CONSTRAINT "transactions_merchant_amount" CHECK (num_nonnulls(merchant_amount, merchant_currency) = 0
      or coalesce(merchant_amount between 0 and 9007199254740991 and merchant_currency ~ '^[A-Z]{3}$'
        and type in ('deduct', 'verification'), false)),
	CONSTRAINT "transactions_settled" CHECK ((status = 'settled') = (settled_at is not null) and (status = 'settled') = (transfer_id is not null)),
	CONSTRAINT "transactions_declined" CHECK ((status = 'declined') = (decline_reason is not null) and (decline_reason is null) = (decline_explanation is null)),
	CONSTRAINT "transactions_counted" CHECK ((counted is null) = (counted_at is null) and counted between 0 and 9007199254740991
      and (counted is null or type = 'deduct' and status <> 'declined' and takes_back is null)),
	CONSTRAINT "transactions_version" CHECK ((status = 'settled') = (account_version is not null)),
	CONSTRAINT "transactions_hold" CHECK (num_nonnulls(hold_amount, hold_captured, hold_released, hold_expires_at) = 0
      or coalesce(type = 'deduct' and authorization_id is null and hold_expires_at is not null
        and hold_amount >= 1 and hold_captured >= 0 and hold_released >= 0
        and hold_captured + hold_released <= hold_amount, false)),
	CONSTRAINT "transactions_hold_status" CHECK (case status
      when 'authorized' then coalesce(hold_captured + hold_released < hold_amount, type = 'verification')
      when 'captured' then coalesce(hold_captured + hold_released = hold_amount, type = 'deduct' and approved_by is not null)
      when 'reversed' then coalesce(hold_released = hold_amount, false)
      when 'expired' then coalesce(hold_released = hold_amount, false)
      when 'declined' then hold_amount is null
      else hold_amount is null or hold_captured >= 1 end),
	CONSTRAINT "transactions_refunded" CHECK (refunded between 0 and amount and (refunded = 0 or (type = 'deduct' and status = 'settled'))),
	CONSTRAINT "transactions_refund" CHECK (case when type = 'deduct-reversal' and takes_back is null
      then refund_exceeds is not null and (refund_of is not null or refund_exceeds)
      else refund_of is null and refund_exceeds is null end),
	CONSTRAINT "transactions_increment" CHECK (increment_of is null or (type = 'deduct' and (hold_amount is not null or status = 'declined'))),
	CONSTRAINT "transactions_approved_by" CHECK (approved_by is null or (approved_by = 'network' and type in ('deduct', 'verification')
      and status <> 'declined' and authorization_id is null and takes_back is null and increment_of is null
      and num_nonnulls(refund_of, cover_of) = 0)),
	CONSTRAINT "transactions_overruled" CHECK (overruled_decline is null or approved_by is not null),
	CONSTRAINT "transactions_posted_as" CHECK (posted_as in ('without_authorization', 'before_authorization', 'after_decline', 'after_reversal', 'after_expiry', 'stand_in', 'after_close', 'over_authorization', 'authorized')),
	CONSTRAINT "transactions_posted" CHECK ((posted_as is not null) = (type = 'deduct' and status = 'settled' and takes_back is null)),
	CONSTRAINT "transactions_covered" CHECK (num_nonnulls(covered_float, covered_deficit) = 0 or coalesce((posted_as is not null or takes_back is not null and type = 'deduct') and covered_float >= 0
      and covered_deficit >= 0 and covered_float + covered_deficit between 1 and amount, false)),
	CONSTRAINT "transactions_authorized_as" CHECK (authorized_as is null or (type = 'deduct' and status = 'settled')),
	CONSTRAINT "transactions_cover" CHECK (cover_of is null or (type in ('credit', 'debit') and status = 'settled')),
	CONSTRAINT "transactions_contra" CHECK (takes_back is null or (type in ('deduct', 'deduct-reversal') and status = 'settled' and authorization_id is null
      and hold_amount is null and refunded = 0 and taken_back = 0)),
	CONSTRAINT "transactions_taken_back" CHECK (taken_back = 0 or (taken_back = amount and type in ('deduct', 'deduct-reversal') and status = 'settled'))
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"shared" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "saved_views_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('cards', 'cardholders', 'transactions', 'float', 'events', 'webhook_deliveries', 'api_log', 'audit_log')),
	CONSTRAINT "saved_views_name" CHECK (char_length(name) between 1 and 60),
	CONSTRAINT "saved_views_query" CHECK (char_length(query) <= 2000)
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"address" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"failure" text,
	"detail" text,
	"request_headers" jsonb NOT NULL,
	"response_headers" jsonb,
	"response_body" text,
	CONSTRAINT "webhook_attempts_endpoint_id_event_id_number_pk" PRIMARY KEY("endpoint_id","event_id","number"),
	CONSTRAINT "webhook_attempts_response_size" CHECK (octet_length("webhook_attempts"."response_body") <= 16384)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"card_id" uuid,
	"state" text DEFAULT 'pending' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"locked_by" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"last_attempt_at" timestamp (3) with time zone,
	"last_status" smallint,
	"last_failure" text,
	"delivered_at" timestamp (3) with time zone,
	"traceparent" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_deliveries_endpoint_id_event_id_pk" PRIMARY KEY("endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'exhausted', 'stopped')),
	CONSTRAINT "webhook_deliveries_delivered" CHECK (("webhook_deliveries"."state" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null)),
	CONSTRAINT "webhook_deliveries_locked" CHECK ("webhook_deliveries"."locked_by" is null or "webhook_deliveries"."state" = 'pending'),
	CONSTRAINT "webhook_deliveries_counts" CHECK ("webhook_deliveries"."attempts" >= 0 and "webhook_deliveries"."failures" between 0 and 10)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"integrator_id" uuid NOT NULL,
	"place" smallint DEFAULT 1 NOT NULL,
	"url" text,
	"events" text[],
	"headers" text,
	"secret" text NOT NULL,
	"switched_off_at" timestamp (3) with time zone,
	"switched_off_reason" text,
	"failing_since" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"in_flight_max" smallint DEFAULT 5 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_places" CHECK (place between 1 and 5),
	CONSTRAINT "webhook_endpoints_first" CHECK (("webhook_endpoints"."place" = 1) = ("webhook_endpoints"."id" = "webhook_endpoints"."integrator_id")),
	CONSTRAINT "webhook_endpoints_events" CHECK (("webhook_endpoints"."events" is null) = ("webhook_endpoints"."place" = 1) and cardinality("webhook_endpoints"."events") >= 1),
	CONSTRAINT "webhook_endpoints_headers" CHECK ("webhook_endpoints"."headers" is null or "webhook_endpoints"."place" > 1),
	CONSTRAINT "webhook_endpoints_deleted" CHECK ("webhook_endpoints"."deleted_at" is null or "webhook_endpoints"."place" > 1 and "webhook_endpoints"."url" is null and "webhook_endpoints"."headers" is null),
	CONSTRAINT "webhook_endpoints_in_flight" CHECK ("webhook_endpoints"."in_flight_max" between 1 and 64),
	CONSTRAINT "webhook_endpoints_switched_off" CHECK (("webhook_endpoints"."switched_off_at" is null) = ("webhook_endpoints"."switched_off_reason" is null)
        and "webhook_endpoints"."switched_off_reason" in ('gone', 'failing'))
);
--> statement-breakpoint
CREATE TABLE "webhook_previous_secrets" (
	"endpoint_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_previous_secrets_endpoint_id_id_pk" PRIMARY KEY("endpoint_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_requester" FOREIGN KEY ("integrator_id","requester_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decider" FOREIGN KEY ("integrator_id","decider_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapproved_moves" ADD CONSTRAINT "unapproved_moves_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapproved_moves" ADD CONSTRAINT "unapproved_moves_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_items" ADD CONSTRAINT "bulk_items_job" FOREIGN KEY ("integrator_id","job_id") REFERENCES "public"."bulk_jobs"("integrator_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_state_changes" ADD CONSTRAINT "card_state_changes_card" FOREIGN KEY ("integrator_id","card_id") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_account" FOREIGN KEY ("integrator_id","currency","id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_cardholder" FOREIGN KEY ("integrator_id","cardholder_id") REFERENCES "public"."cardholders"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_replaces" FOREIGN KEY ("integrator_id","replaces") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_replaced_by" FOREIGN KEY ("integrator_id","replaced_by") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_log" ADD CONSTRAINT "api_log_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_log_bodies" ADD CONSTRAINT "api_log_bodies_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_log_hours" ADD CONSTRAINT "api_log_hours_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_transfer" FOREIGN KEY ("integrator_id","transfer_id") REFERENCES "public"."transfers"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_notifications" ADD CONSTRAINT "inbox_notifications_inbox" FOREIGN KEY ("integrator_id") REFERENCES "public"."sandbox_inboxes"("integrator_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_inboxes" ADD CONSTRAINT "sandbox_inboxes_integrator" FOREIGN KEY ("environment","integrator_id") REFERENCES "public"."integrators"("environment","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cardholders" ADD CONSTRAINT "cardholders_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_calls" ADD CONSTRAINT "deprecated_calls_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_calls" ADD CONSTRAINT "deprecated_calls_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer" FOREIGN KEY ("integrator_id","transfer_id") REFERENCES "public"."transfers"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account" FOREIGN KEY ("integrator_id","currency","account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_debit_account" FOREIGN KEY ("integrator_id","currency","debit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_credit_account" FOREIGN KEY ("integrator_id","currency","credit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_values" ADD CONSTRAINT "personal_values_cardholder" FOREIGN KEY ("integrator_id","cardholder_id") REFERENCES "public"."cardholders"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processor_operations" ADD CONSTRAINT "processor_operations_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processor_operations" ADD CONSTRAINT "processor_operations_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_facts" ADD CONSTRAINT "unmatched_facts_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_rollups" ADD CONSTRAINT "card_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spend_rollups" ADD CONSTRAINT "spend_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_rollups" ADD CONSTRAINT "transfer_rollups_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_vouched" FOREIGN KEY ("integrator_id","email_vouched") REFERENCES "public"."integrators"("id","vouched") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "staff_links" ADD CONSTRAINT "staff_links_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_links" ADD CONSTRAINT "staff_links_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_card" FOREIGN KEY ("integrator_id","card_id") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_transfer" FOREIGN KEY ("integrator_id","transfer_id") REFERENCES "public"."transfers"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_authorization" FOREIGN KEY ("integrator_id","authorization_id") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_increment_of" FOREIGN KEY ("integrator_id","increment_of") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_refund_of" FOREIGN KEY ("integrator_id","refund_of") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_cover_of" FOREIGN KEY ("integrator_id","cover_of") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_takes_back" FOREIGN KEY ("integrator_id","takes_back") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_staff" FOREIGN KEY ("integrator_id","staff_id") REFERENCES "public"."staff"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("endpoint_id","event_id") REFERENCES "public"."webhook_deliveries"("endpoint_id","event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_previous_secrets" ADD CONSTRAINT "webhook_previous_secrets_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_waiting" ON "approvals" USING btree ("expires_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "approvals_waiting_own" ON "approvals" USING btree ("integrator_id","id") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "unapproved_moves_person" ON "unapproved_moves" USING btree ("integrator_id","staff_id","created_at");--> statement-breakpoint
CREATE INDEX "unapproved_moves_age" ON "unapproved_moves" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "bulk_items_state" ON "bulk_items" USING btree ("integrator_id","job_id","state","position");--> statement-breakpoint
CREATE INDEX "bulk_items_freezes" ON "bulk_items" USING btree ("integrator_id","card_id") WHERE num_nonnulls(restores, replaced) > 0;--> statement-breakpoint
CREATE INDEX "bulk_jobs_age" ON "bulk_jobs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "bulk_jobs_running" ON "bulk_jobs" USING btree ("id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "card_state_changes_card" ON "card_state_changes" USING btree ("integrator_id","card_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cards_id" ON "cards" USING btree ("id");--> statement-breakpoint
CREATE INDEX "cards_cardholder" ON "cards" USING btree ("integrator_id","cardholder_id","id") WHERE "cards"."cardholder_id" is not null;--> statement-breakpoint
CREATE INDEX "cards_last4" ON "cards" USING btree ("integrator_id","last4","id") WHERE "cards"."last4" is not null;--> statement-breakpoint
CREATE INDEX "cards_name" ON "cards" USING gin (search_text("card_name") gin_trgm_ops,"integrator_id") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "cards_cover_outstanding" ON "cards" USING btree ("integrator_id","id") WHERE cover_outstanding > 0;--> statement-breakpoint
CREATE INDEX "api_log_integrator" ON "api_log" USING btree ("integrator_id","id");--> statement-breakpoint
CREATE INDEX "api_log_refusals" ON "api_log" USING btree ("integrator_id","card_id","id") WHERE "api_log"."status" >= 400;--> statement-breakpoint
CREATE INDEX "api_log_bodies_age" ON "api_log_bodies" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "api_log_hours_age" ON "api_log_hours" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("integrator_id","target_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_sequence" ON "events" USING btree ("integrator_id","subject_type","subject_id","sequence") WHERE "events"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "events_feed" ON "events" USING btree ("integrator_id","xid","id") WHERE "events"."xid" is not null;--> statement-breakpoint
CREATE INDEX "events_transfer" ON "events" USING btree ("integrator_id","transfer_id") WHERE "events"."transfer_id" is not null;--> statement-breakpoint
CREATE INDEX "events_rare" ON "events" USING btree ("integrator_id","event","id") WHERE "events"."event" not in ('card.transaction', 'card.credited', 'card.debited');--> statement-breakpoint
CREATE INDEX "idempotent_requests_age" ON "idempotent_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "inbox_notifications_age" ON "inbox_notifications" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_inboxes_token" ON "sandbox_inboxes" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_ending" ON "api_keys" USING btree ("expires_at") WHERE expires_at is not null and end_announced_at is null and revoked_at is null and integrator_id is not null;--> statement-breakpoint
CREATE INDEX "api_keys_integrator" ON "api_keys" USING btree ("integrator_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_maker" ON "api_keys" USING btree ("integrator_id","maker_id","id") WHERE maker_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "cardholders_email" ON "cardholders" USING btree ("integrator_id",lower("email") collate "C") WHERE "cardholders"."email" is not null;--> statement-breakpoint
CREATE INDEX "cardholders_archived" ON "cardholders" USING btree ("integrator_id","id") WHERE "cardholders"."archived";--> statement-breakpoint
CREATE INDEX "cardholders_erasing" ON "cardholders" USING btree ("erased_at") WHERE erased_at is not null and erasure_passes < 2;--> statement-breakpoint
CREATE INDEX "deprecated_calls_created_at" ON "deprecated_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "integrators_clock" ON "integrators" USING btree ("id") WHERE "integrators"."clock_since" is not null;--> statement-breakpoint
CREATE INDEX "integrators_idle_fill" ON "integrators" USING btree ("id") WHERE "integrators"."idle_fill_after" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "entries_account_version" ON "entries" USING btree ("integrator_id","account_id","account_version") WHERE "entries"."account_version" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_single" ON "ledger_accounts" USING btree ("integrator_id","currency","kind") WHERE "ledger_accounts"."kind" <> 'card';--> statement-breakpoint
CREATE INDEX "ledger_accounts_status" ON "ledger_accounts" USING btree ("integrator_id","status","id") WHERE "ledger_accounts"."status" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_freeze_due" ON "ledger_accounts" USING btree ("freeze_due_at") WHERE "ledger_accounts"."freeze_due_at" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_freeze_due_own" ON "ledger_accounts" USING btree ("integrator_id","freeze_due_at") WHERE "ledger_accounts"."freeze_due_at" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_idle_due" ON "ledger_accounts" USING btree ("idle_due_at") WHERE "ledger_accounts"."idle_due_at" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_idle_due_own" ON "ledger_accounts" USING btree ("integrator_id","idle_due_at") WHERE "ledger_accounts"."idle_due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_idempotency_key" ON "transfers" USING btree ("integrator_id","idempotency_key") WHERE "transfers"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "transfers_xid" ON "transfers" USING btree ("xid");--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" USING btree ("due_at") WHERE "messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_failed" ON "messages" USING btree ("created_at") WHERE "messages"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "messages_about" ON "messages" USING btree ("integrator_id","about_id") WHERE "messages"."about_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_age" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "personal_values_cardholder" ON "personal_values" USING btree ("integrator_id","cardholder_id","record_id");--> statement-breakpoint
CREATE INDEX "processor_operations_transaction" ON "processor_operations" USING btree ("transaction_id") WHERE transaction_id is not null;--> statement-breakpoint
CREATE INDEX "processor_operations_awaits" ON "processor_operations" USING btree ("awaits") WHERE awaits is not null;--> statement-breakpoint
CREATE INDEX "processor_operations_takes_back" ON "processor_operations" USING btree ("takes_back") WHERE takes_back is not null;--> statement-breakpoint
CREATE INDEX "processor_operations_funding" ON "processor_operations" USING btree ("integrator_id","request_id") WHERE operation = 'createFunding';--> statement-breakpoint
CREATE INDEX "unmatched_facts_waiting" ON "unmatched_facts" USING btree ("authorization_reference") WHERE operation = 'createPosting' and reason = 'authorization_not_found';--> statement-breakpoint
CREATE INDEX "sign_in_failures_name" ON "sign_in_failures" USING btree ("name_hash","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_address" ON "sign_in_failures" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_age" ON "sign_in_failures" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"),"email_vouched") WHERE "staff"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "staff_told" ON "staff" USING btree ("integrator_id","role") WHERE removed_at is null and role <> 'viewer';--> statement-breakpoint
CREATE UNIQUE INDEX "staff_links_token" ON "staff_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "staff_links_person" ON "staff_links" USING btree ("integrator_id","staff_id") WHERE "staff_links"."staff_id" is not null;--> statement-breakpoint
CREATE INDEX "staff_links_email" ON "staff_links" USING btree ("integrator_id",lower("email")) WHERE "staff_links"."email" is not null;--> statement-breakpoint
CREATE INDEX "staff_links_maker" ON "staff_links" USING btree ("integrator_id",("created_by" ->> 'id')) WHERE "staff_links"."created_by" ->> 'id' is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_sessions_token" ON "staff_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "staff_sessions_staff" ON "staff_sessions" USING btree ("integrator_id","staff_id","created_at");--> statement-breakpoint
CREATE INDEX "staff_sessions_age" ON "staff_sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "transactions_card" ON "transactions" USING btree ("integrator_id","card_id","id") WHERE "transactions"."card_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_account_version" ON "transactions" USING btree ("integrator_id","card_id","account_version") WHERE account_version is not null;--> statement-breakpoint
CREATE INDEX "transactions_captures" ON "transactions" USING btree ("integrator_id","authorization_id") WHERE authorization_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_increments" ON "transactions" USING btree ("integrator_id","increment_of","id") WHERE increment_of is not null;--> statement-breakpoint
CREATE INDEX "transactions_refunds" ON "transactions" USING btree ("integrator_id","refund_of") WHERE refund_of is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_taken_back" ON "transactions" USING btree ("integrator_id","takes_back") WHERE takes_back is not null;--> statement-breakpoint
CREATE INDEX "transactions_covers" ON "transactions" USING btree ("integrator_id","cover_of") WHERE cover_of is not null;--> statement-breakpoint
CREATE INDEX "transactions_posted_as" ON "transactions" USING btree ("integrator_id","posted_as","id") WHERE posted_as <> 'authorized';--> statement-breakpoint
CREATE INDEX "transactions_covered" ON "transactions" USING btree ("integrator_id","id") WHERE covered_float is not null;--> statement-breakpoint
CREATE INDEX "transactions_counted" ON "transactions" USING btree ("integrator_id","card_id","counted_at","counted") WHERE counted > 0;--> statement-breakpoint
CREATE INDEX "transactions_open_holds" ON "transactions" USING btree ("integrator_id","card_id") WHERE hold_captured + hold_released < hold_amount;--> statement-breakpoint
CREATE INDEX "transactions_hold_expiry" ON "transactions" USING btree ("hold_expires_at") WHERE hold_captured + hold_released < hold_amount;--> statement-breakpoint
CREATE INDEX "transactions_kind" ON "transactions" USING btree ("integrator_id","type","status","id") WHERE "transactions"."type" is not null;--> statement-breakpoint
CREATE INDEX "transactions_declines" ON "transactions" USING btree ("integrator_id","decline_reason","id") WHERE decline_reason is not null;--> statement-breakpoint
CREATE INDEX "transactions_amount" ON "transactions" USING btree ("integrator_id","amount") WHERE "transactions"."amount" is not null;--> statement-breakpoint
CREATE INDEX "transactions_category" ON "transactions" USING btree ("integrator_id",(case when type not in ('credit', 'debit') then coalesce(merchant ->> 'mcc', 'unknown') end),"id","settled_at") WHERE (case when type not in ('credit', 'debit') then coalesce(merchant ->> 'mcc', 'unknown') end) is not null;--> statement-breakpoint
CREATE INDEX "transactions_country" ON "transactions" USING btree ("integrator_id",(case when type not in ('credit', 'debit') then coalesce(merchant ->> 'country', 'unknown') end),"id","settled_at") WHERE (case when type not in ('credit', 'debit') then coalesce(merchant ->> 'country', 'unknown') end) is not null;--> statement-breakpoint
CREATE INDEX "transactions_text" ON "transactions" USING gin (search_text(nullif(coalesce("narrative", '') || ' ' || coalesce("merchant"->>'name', '') || ' '
    || coalesce("decline_reason" || ' ' || replace("decline_reason", '_', ' '), ''), '  ')) gin_trgm_ops,"integrator_id") WITH (gin_pending_list_limit=64) WHERE nullif(coalesce("transactions"."narrative", '') || ' ' || coalesce("transactions"."merchant"->>'name', '') || ' '
    || coalesce("transactions"."decline_reason" || ' ' || replace("transactions"."decline_reason", '_', ' '), ''), '  ') is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_own" ON "saved_views" USING btree ("integrator_id","staff_id","list",lower("name")) WHERE not "saved_views"."shared";--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_shared" ON "saved_views" USING btree ("integrator_id","list",lower("name")) WHERE "saved_views"."shared";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_flight" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE "webhook_deliveries"."locked_by" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_missed" ON "webhook_deliveries" USING btree ("endpoint_id","event_id") WHERE "webhook_deliveries"."state" in ('exhausted', 'stopped');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_card" ON "webhook_deliveries" USING btree ("endpoint_id","card_id","event_id") WHERE "webhook_deliveries"."card_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_rare" ON "webhook_deliveries" USING btree ("endpoint_id","event","event_id") WHERE "webhook_deliveries"."event" <> 'card.transaction';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_place" ON "webhook_endpoints" USING btree ("integrator_id","place") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_previous_secrets_age" ON "webhook_previous_secrets" USING btree ("created_at");
--> statement-breakpoint

-- Balances, versions and freezes change in place, without a word in any index, as long as a page has room for them.
ALTER TABLE "ledger_accounts" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "cards" SET (fillfactor = 80);
