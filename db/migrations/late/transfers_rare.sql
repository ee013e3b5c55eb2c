CREATE INDEX CONCURRENTLY "transfers_rare" ON "transfers" USING btree ("integrator_id","kind","id") WHERE "transfers"."kind" in ('float_top_up', 'card_debit', 'card_sweep');
