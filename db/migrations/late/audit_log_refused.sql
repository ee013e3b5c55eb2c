CREATE INDEX CONCURRENTLY "audit_log_refused" ON "audit_log" USING btree ("integrator_id","id") WHERE "audit_log"."action" like '%refused';
