CREATE INDEX CONCURRENTLY "audit_log_staff" ON "audit_log" USING btree ("integrator_id",("actor" ->> 'id'),"id") WHERE "audit_log"."actor" ->> 'type' = 'staff';
