-- Searching parts of names and narratives. Both extensions come with PostgreSQL and are trusted: a database's owner may
-- make them.
create extension if not exists pg_trgm;
--> statement-breakpoint
create extension if not exists btree_gin;
DROP INDEX "api_log_card";--> statement-breakpoint
CREATE INDEX "cards_name" ON "cards" USING gin ("integrator_id","card_name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "transactions_kind" ON "transactions" USING btree ("integrator_id","type","status","id");--> statement-breakpoint
CREATE INDEX "transactions_amount" ON "transactions" USING btree ("integrator_id","amount","id");--> statement-breakpoint
CREATE INDEX "transactions_text" ON "transactions" USING gin ("integrator_id",(coalesce("narrative", '') || ' ' || coalesce("merchant"->>'name', '') || ' '
    || coalesce("decline_reason" || ' ' || replace("decline_reason", '_', ' '), '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "api_log_refusals" ON "api_log" USING btree ("integrator_id","card_id","id") WHERE "api_log"."status" >= 400;--> statement-breakpoint
CREATE INDEX "ledger_accounts_status" ON "ledger_accounts" USING btree ("integrator_id","status","id") WHERE "ledger_accounts"."status" is not null;