DROP INDEX "transactions_kind";--> statement-breakpoint
CREATE INDEX "transactions_declines" ON "transactions" USING btree ("integrator_id","decline_reason","id") WHERE decline_reason is not null;--> statement-breakpoint
CREATE INDEX "transactions_kind" ON "transactions" USING btree ("integrator_id","type","status","id","amount");