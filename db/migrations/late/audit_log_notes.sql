CREATE INDEX CONCURRENTLY "audit_log_notes" ON "audit_log" USING btree ("integrator_id","target_id","id") WHERE "audit_log"."action" = 'card.noted';
