CREATE INDEX CONCURRENTLY "audit_log_rare" ON "audit_log" USING btree ("integrator_id","action","id") WHERE "audit_log"."action" <> 'card.credited' and "audit_log"."action" <> 'card.debited';
