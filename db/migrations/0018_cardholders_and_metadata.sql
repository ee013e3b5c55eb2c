-- "cards_metadata" and "cardholders_search" are in late/: building them here would keep everyone from writing meanwhile.
CREATE INDEX IF NOT EXISTS "cardholders_archived" ON "cardholders" USING btree ("integrator_id","id") WHERE "cardholders"."archived";
