CREATE INDEX CONCURRENTLY "cardholders_search" ON "cardholders" USING gin (search_text("first_name" || ' ' || "last_name" || ' ' || "email") gin_trgm_ops,"integrator_id") WITH (fastupdate=false);
