CREATE TABLE "card_state_changes" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"card_id" uuid NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"reason" text,
	"comment" text,
	"actor" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "card_state_changes_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "card_state_changes_from" CHECK ("card_state_changes"."from_status" in ('active', 'frozen')),
	CONSTRAINT "card_state_changes_to" CHECK ("card_state_changes"."to_status" in ('active', 'frozen', 'closed')),
	CONSTRAINT "card_state_changes_reason" CHECK ("card_state_changes"."reason" in ('cardholder_request', 'lost', 'stolen', 'suspected_fraud', 'compromised', 'inactivity', 'internal_review', 'compliance', 'other'))
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
	"metadata" jsonb NOT NULL,
	"frozen_at" timestamp (3) with time zone,
	"freeze_reason" text,
	"freeze_comment" text,
	"frozen_by" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cards_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "cards_number" CHECK ("cards"."first_six" ~ '^[0-9]{6}$' and "cards"."last4" ~ '^[0-9]{4}$'),
	CONSTRAINT "cards_freeze_reason" CHECK ("cards"."freeze_reason" in ('cardholder_request', 'lost', 'stolen', 'suspected_fraud', 'compromised', 'inactivity', 'internal_review', 'compliance', 'other')),
	CONSTRAINT "cards_freeze" CHECK (("cards"."frozen_at" is null) = ("cards"."frozen_by" is null)),
	CONSTRAINT "cards_freeze_comment" CHECK ("cards"."freeze_reason" <> 'other' or "cards"."freeze_comment" is not null)
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
	"currency" text NOT NULL,
	"account_version" bigint,
	"card_balance_before" bigint NOT NULL,
	"card_balance_after" bigint NOT NULL,
	"narrative" text,
	"merchant" jsonb,
	"decline_reason" text,
	"decline_explanation" text,
	"authorization_id" uuid,
	"actor" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "transactions_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "transactions_type" CHECK ("transactions"."type" in ('credit', 'debit', 'deduct', 'deduct-reversal')),
	CONSTRAINT "transactions_status" CHECK ("transactions"."status" in ('authorized', 'settled', 'declined', 'reversed', 'expired')),
	CONSTRAINT "transactions_amount" CHECK ("transactions"."amount" between 1 and 9007199254740991),
	CONSTRAINT "transactions_settled" CHECK (("transactions"."status" = 'settled') = ("transactions"."settled_at" is not null) and ("transactions"."status" = 'settled') = ("transactions"."transfer_id" is not null)),
	CONSTRAINT "transactions_declined" CHECK (("transactions"."status" = 'declined') = ("transactions"."decline_reason" is not null) and ("transactions"."decline_reason" is null) = ("transactions"."decline_explanation" is null))
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
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
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
	"body" text NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "events_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "events_sequence" UNIQUE("integrator_id","subject_type","subject_id","sequence"),
	CONSTRAINT "events_subject" CHECK ("events"."subject_type" in ('card', 'float', 'account', 'cardholder')),
	CONSTRAINT "events_sequence_first" CHECK ("events"."sequence" >= 1),
	CONSTRAINT "events_body_size" CHECK (octet_length("events"."body") < 20000)
);
--> statement-breakpoint
CREATE TABLE "idempotent_requests" (
	"integrator_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" smallint NOT NULL,
	"content_type" text NOT NULL,
	"body" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "idempotent_requests_integrator_id_key_pk" PRIMARY KEY("integrator_id","key"),
	CONSTRAINT "idempotent_requests_key" CHECK (length("idempotent_requests"."key") between 1 and 255)
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
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
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
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cardholders_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "cardholders_id_last4" CHECK (length("cardholders"."id_last4") <= 4)
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
	"webhook_url" text,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"contact_number" text NOT NULL,
	"country" text NOT NULL,
	"registration_number" text NOT NULL,
	"currency" text NOT NULL,
	"environment" text NOT NULL,
	"api_version" text NOT NULL,
	"low_balance_threshold" bigint,
	"idempotency_required" boolean DEFAULT false NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	"books_unbalanced_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integrators_environment" CHECK ("integrators"."environment" in ('sandbox', 'live')),
	CONSTRAINT "integrators_currency" CHECK ("integrators"."currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "integrators_threshold" CHECK ("integrators"."low_balance_threshold" between 1 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"integrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "staff_role" CHECK ("staff"."role" in ('owner', 'admin', 'operator', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "books_checkpoints" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"xid" "xid8" NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
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
	CONSTRAINT "entries_account_version" UNIQUE("integrator_id","account_id","account_version"),
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
	"single_use" boolean,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "ledger_accounts_currency" UNIQUE("integrator_id","currency","id"),
	CONSTRAINT "ledger_accounts_rank" CHECK ("ledger_accounts"."rank" = case "ledger_accounts"."kind" when 'card' then 1 when 'float' then 2 else 3 end),
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" in ('card', 'float', 'bank', 'network')),
	CONSTRAINT "ledger_accounts_status" CHECK ("ledger_accounts"."status" in ('active', 'frozen', 'closed')),
	CONSTRAINT "ledger_accounts_outside" CHECK (("ledger_accounts"."kind" in ('bank', 'network')) = ("ledger_accounts"."balance" is null) and ("ledger_accounts"."balance" is null) = ("ledger_accounts"."held" is null)),
	CONSTRAINT "ledger_accounts_card" CHECK (("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."status" is not null) and ("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."expires_at" is not null) and ("ledger_accounts"."kind" = 'card') = ("ledger_accounts"."single_use" is not null)),
	CONSTRAINT "ledger_accounts_available" CHECK ("ledger_accounts"."balance" - "ledger_accounts"."held" >= 0),
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
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "transfers_integrator_id_id_pk" PRIMARY KEY("integrator_id","id"),
	CONSTRAINT "transfers_currency" UNIQUE("integrator_id","currency","id"),
	CONSTRAINT "transfers_idempotency_key" UNIQUE("integrator_id","idempotency_key"),
	CONSTRAINT "transfers_kind" CHECK ("transfers"."kind" in ('float_top_up', 'card_credit', 'card_debit', 'card_sweep', 'card_purchase', 'card_refund')),
	CONSTRAINT "transfers_amount" CHECK ("transfers"."amount" between 1 and 1000000000000),
	CONSTRAINT "transfers_accounts" CHECK ("transfers"."debit_account_id" <> "transfers"."credit_account_id")
);
--> statement-breakpoint
ALTER TABLE "card_state_changes" ADD CONSTRAINT "card_state_changes_card" FOREIGN KEY ("integrator_id","card_id") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_account" FOREIGN KEY ("integrator_id","currency","id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_cardholder" FOREIGN KEY ("integrator_id","cardholder_id") REFERENCES "public"."cardholders"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_card" FOREIGN KEY ("integrator_id","card_id") REFERENCES "public"."cards"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_transfer" FOREIGN KEY ("integrator_id","transfer_id") REFERENCES "public"."transfers"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_log" ADD CONSTRAINT "api_log_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_transfer" FOREIGN KEY ("integrator_id","transfer_id") REFERENCES "public"."transfers"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cardholders" ADD CONSTRAINT "cardholders_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer" FOREIGN KEY ("integrator_id","currency","transfer_id") REFERENCES "public"."transfers"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account" FOREIGN KEY ("integrator_id","currency","account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_debit_account" FOREIGN KEY ("integrator_id","currency","debit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_credit_account" FOREIGN KEY ("integrator_id","currency","credit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_state_changes_card" ON "card_state_changes" USING btree ("integrator_id","card_id","id");--> statement-breakpoint
CREATE INDEX "cards_cardholder" ON "cards" USING btree ("integrator_id","cardholder_id","id");--> statement-breakpoint
CREATE INDEX "cards_last4" ON "cards" USING btree ("integrator_id","last4","id");--> statement-breakpoint
CREATE INDEX "transactions_card" ON "transactions" USING btree ("integrator_id","card_id","id");--> statement-breakpoint
CREATE INDEX "api_log_integrator" ON "api_log" USING btree ("integrator_id","id");--> statement-breakpoint
CREATE INDEX "api_log_card" ON "api_log" USING btree ("integrator_id","card_id","id");--> statement-breakpoint
CREATE INDEX "api_log_age" ON "api_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("integrator_id","target_id","id");--> statement-breakpoint
CREATE INDEX "events_feed" ON "events" USING btree ("integrator_id","xid","id");--> statement-breakpoint
CREATE INDEX "events_transfer" ON "events" USING btree ("integrator_id","transfer_id");--> statement-breakpoint
CREATE INDEX "idempotent_requests_age" ON "idempotent_requests" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_integrator" ON "api_keys" USING btree ("integrator_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cardholders_email" ON "cardholders" USING btree ("integrator_id",lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_single" ON "ledger_accounts" USING btree ("integrator_id","currency","kind") WHERE "ledger_accounts"."kind" <> 'card';--> statement-breakpoint
CREATE INDEX "transfers_xid" ON "transfers" USING btree ("xid");