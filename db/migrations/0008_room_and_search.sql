DROP INDEX "cards_name";--> statement-breakpoint
DROP INDEX "transactions_text";--> statement-breakpoint
CREATE INDEX "cards_name" ON "cards" USING gin ("card_name" gin_trgm_ops,"integrator_id") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "transactions_text" ON "transactions" USING gin ((coalesce("narrative", '') || ' ' || coalesce("merchant"->>'name', '') || ' '
    || coalesce("decline_reason" || ' ' || replace("decline_reason", '_', ' '), '')) gin_trgm_ops,"integrator_id") WITH (gin_pending_list_limit=64);--> statement-breakpoint
-- Balances, versions and freezes change in place, without a word in any index, as long as a page has room for them.
ALTER TABLE "ledger_accounts" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "cards" SET (fillfactor = 80);
