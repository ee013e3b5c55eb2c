CREATE INDEX CONCURRENTLY "card_state_changes_xid" ON "card_state_changes" USING btree ("xid");
