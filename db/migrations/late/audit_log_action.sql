CREATE INDEX CONCURRENTLY "audit_log_action" ON "audit_log" USING btree ("integrator_id","action","id");
