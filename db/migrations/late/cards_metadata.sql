CREATE INDEX CONCURRENTLY "cards_metadata" ON "cards" USING gin ("metadata" jsonb_path_ops,"integrator_id") WITH (fastupdate=false) WHERE "cards"."metadata" <> '{}'::jsonb;
