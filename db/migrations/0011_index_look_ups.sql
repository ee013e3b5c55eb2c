-- An index that leads with the integrator and has nothing to offer a look-up must not be taken for it: without statistics
-- the planner tells them apart by chance. Each is either led by the key or usable only by who names its next column.
-- The large ones are built before this begins, while others write (see db/apply-migrations.ts), and take their places here.
CREATE UNIQUE INDEX IF NOT EXISTS "events_sequence_next" ON "events" USING btree ("integrator_id","subject_type","subject_id","sequence") WHERE "events"."subject_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "entries_account_version_next" ON "entries" USING btree ("integrator_id","account_id","account_version") WHERE "entries"."account_version" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "transfers_idempotency_key_next" ON "transfers" USING btree ("integrator_id","idempotency_key") WHERE "transfers"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "cards_cardholder_next" ON "cards" USING btree ("integrator_id","cardholder_id","id") WHERE "cards"."cardholder_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "cards_last4_next" ON "cards" USING btree ("integrator_id","last4","id") WHERE "cards"."last4" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transactions_card_next" ON "transactions" USING btree ("integrator_id","card_id","id") WHERE "transactions"."card_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transactions_kind_next" ON "transactions" USING btree ("integrator_id","type","status","id") WHERE "transactions"."type" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transactions_amount_next" ON "transactions" USING btree ("integrator_id","amount","id") WHERE "transactions"."amount" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "events_feed_next" ON "events" USING btree ("integrator_id","xid","id") WHERE "events"."xid" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "events_transfer_next" ON "events" USING btree ("integrator_id","transfer_id") WHERE "events"."transfer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "cardholders_email_next" ON "cardholders" USING btree ("integrator_id",lower("email")) WHERE "cardholders"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "ledger_accounts_currency_next" ON "ledger_accounts" USING btree ("integrator_id","id","currency");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "transfers_currency_next" ON "transfers" USING btree ("integrator_id","id","currency");--> statement-breakpoint
-- In the order in which writers reach them, so that neither waits for the other in the middle.
LOCK TABLE "ledger_accounts", "cards", "cardholders", "transactions", "transfers", "entries", "events" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "cards" DROP CONSTRAINT "cards_account";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_debit_account";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_credit_account";--> statement-breakpoint
ALTER TABLE "entries" DROP CONSTRAINT "entries_account";--> statement-breakpoint
ALTER TABLE "entries" DROP CONSTRAINT "entries_transfer";--> statement-breakpoint
CREATE TABLE "webhook_workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_sequence";--> statement-breakpoint
ALTER TABLE "entries" DROP CONSTRAINT "entries_account_version";--> statement-breakpoint
ALTER TABLE "ledger_accounts" DROP CONSTRAINT "ledger_accounts_currency";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_idempotency_key";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_currency";--> statement-breakpoint
DROP INDEX "cards_cardholder";--> statement-breakpoint
DROP INDEX "cards_last4";--> statement-breakpoint
DROP INDEX "transactions_card";--> statement-breakpoint
DROP INDEX "transactions_kind";--> statement-breakpoint
DROP INDEX "transactions_amount";--> statement-breakpoint
DROP INDEX "events_feed";--> statement-breakpoint
DROP INDEX "events_transfer";--> statement-breakpoint
DROP INDEX "cardholders_email";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "in_flight_max" smallint DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER INDEX "events_sequence_next" RENAME TO "events_sequence";--> statement-breakpoint
ALTER INDEX "entries_account_version_next" RENAME TO "entries_account_version";--> statement-breakpoint
ALTER INDEX "transfers_idempotency_key_next" RENAME TO "transfers_idempotency_key";--> statement-breakpoint
CREATE INDEX "staff_links_person" ON "staff_links" USING btree ("integrator_id","staff_id") WHERE "staff_links"."staff_id" is not null;--> statement-breakpoint
CREATE INDEX "staff_links_email" ON "staff_links" USING btree ("integrator_id",lower("email")) WHERE "staff_links"."email" is not null;--> statement-breakpoint
ALTER INDEX "cards_cardholder_next" RENAME TO "cards_cardholder";--> statement-breakpoint
ALTER INDEX "cards_last4_next" RENAME TO "cards_last4";--> statement-breakpoint
ALTER INDEX "transactions_card_next" RENAME TO "transactions_card";--> statement-breakpoint
ALTER INDEX "transactions_kind_next" RENAME TO "transactions_kind";--> statement-breakpoint
ALTER INDEX "transactions_amount_next" RENAME TO "transactions_amount";--> statement-breakpoint
ALTER INDEX "events_feed_next" RENAME TO "events_feed";--> statement-breakpoint
ALTER INDEX "events_transfer_next" RENAME TO "events_transfer";--> statement-breakpoint
ALTER INDEX "cardholders_email_next" RENAME TO "cardholders_email";--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_currency" UNIQUE USING INDEX "ledger_accounts_currency_next";--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_currency" UNIQUE USING INDEX "transfers_currency_next";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_in_flight" CHECK ("webhook_endpoints"."in_flight_max" between 1 and 64);--> statement-breakpoint
-- Every row has been checked against the same keys before: `migrate` looks at them again without keeping anybody from writing.
ALTER TABLE "cards" ADD CONSTRAINT "cards_account" FOREIGN KEY ("integrator_id","currency","id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") NOT VALID;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_debit_account" FOREIGN KEY ("integrator_id","currency","debit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") NOT VALID;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_credit_account" FOREIGN KEY ("integrator_id","currency","credit_account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") NOT VALID;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account" FOREIGN KEY ("integrator_id","currency","account_id") REFERENCES "public"."ledger_accounts"("integrator_id","currency","id") NOT VALID;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer" FOREIGN KEY ("integrator_id","currency","transfer_id") REFERENCES "public"."transfers"("integrator_id","currency","id") NOT VALID;--> statement-breakpoint
-- Each row is looked up by its key: a fenced sub-select (OFFSET 0) leaves the planner no other way to join.
create or replace function check_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  fault text;
begin
  select case
    when e.amount <> case e.account_id
      when t.debit_account_id then -t.amount
      when t.credit_account_id then t.amount
      else 0 end
      then 'entries_transfer_side: an entry must be one side of its transfer'
    when (a.balance is null) <> (e.account_version is null)
      then 'entries_running_balance: float and card entries carry a version, outside entries none'
    when e.account_version is not null and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
      or (e.account_version > 1 and p.account_version is null))
      then 'entries_chain: an entry must follow the account''s last one without a gap'
    when e.account_version > a.version or (e.account_version = a.version and e.balance_after <> a.balance)
      then 'entries_account_balance: the account must already stand at the balance of its last entry'
    end into fault
  from added e
  left join lateral (
    select * from transfers where integrator_id = e.integrator_id and id = e.transfer_id offset 0
  ) t on true
  left join lateral (
    select * from ledger_accounts where integrator_id = e.integrator_id and id = e.account_id offset 0
  ) a on true
  left join lateral (
    select * from entries where integrator_id = e.integrator_id and account_id = e.account_id
      and account_version = e.account_version - 1 offset 0
  ) p on true
  where e.amount <> case e.account_id
      when t.debit_account_id then -t.amount
      when t.credit_account_id then t.amount
      else 0 end
    or (a.balance is null) <> (e.account_version is null)
    or (e.account_version is not null and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
      or (e.account_version > 1 and p.account_version is null)))
    or e.account_version > a.version or (e.account_version = a.version and e.balance_after <> a.balance)
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function check_transfer() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if (
    select count(*) = 2 and sum(amount) = 0 from entries
    where integrator_id = new.integrator_id and transfer_id = new.id
  ) is not true then
    raise exception 'transfers_balanced: a transfer needs two entries that sum to zero'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
alter function check_account() set enable_bitmapscan = off;
--> statement-breakpoint
create or replace function check_events() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if exists (
    select from added e
    left join lateral (
      select sequence from events where integrator_id = e.integrator_id and subject_type = e.subject_type
        and subject_id = e.subject_id and sequence = e.sequence - 1 offset 0
    ) p on true
    where e.sequence > 1 and p.sequence is null
  ) then
    raise exception 'events_gapless: a subject''s events count on without a gap'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
