CREATE INDEX CONCURRENTLY "api_log_failures" ON "api_log" USING btree ("integrator_id","id") WHERE "api_log"."status" >= 400;
