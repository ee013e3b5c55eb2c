CREATE TABLE "processor_operations" (
	"reference" text PRIMARY KEY NOT NULL,
	"operation" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" smallint NOT NULL,
	"content_type" text NOT NULL,
	"body" text NOT NULL,
	"integrator_id" uuid,
	"transaction_id" uuid,
	"api_key_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "processor_operations_reference" CHECK (length("processor_operations"."reference") between 1 and 255)
);
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "refund_of" uuid;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "hold_amount" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "hold_captured" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "hold_released" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "hold_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "processor_operations" ADD CONSTRAINT "processor_operations_integrator_id_integrators_id_fk" FOREIGN KEY ("integrator_id") REFERENCES "public"."integrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processor_operations" ADD CONSTRAINT "processor_operations_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "processor_operations_transaction" ON "processor_operations" USING btree ("transaction_id") WHERE transaction_id is not null;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_authorization" FOREIGN KEY ("integrator_id","authorization_id") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_refund_of" FOREIGN KEY ("integrator_id","refund_of") REFERENCES "public"."transactions"("integrator_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "cards_id" ON "cards" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_account_version" ON "transactions" USING btree ("integrator_id","card_id","account_version") WHERE account_version is not null;--> statement-breakpoint
CREATE INDEX "transactions_captures" ON "transactions" USING btree ("integrator_id","authorization_id") WHERE authorization_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_refunds" ON "transactions" USING btree ("integrator_id","refund_of") WHERE refund_of is not null;--> statement-breakpoint
CREATE INDEX "transactions_open_holds" ON "transactions" USING btree ("integrator_id","card_id") WHERE hold_captured + hold_released < hold_amount;--> statement-breakpoint
CREATE INDEX "transactions_hold_expiry" ON "transactions" USING btree ("hold_expires_at") WHERE hold_captured + hold_released < hold_amount;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_version" CHECK ((status = 'settled') = (account_version is not null));--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_hold" CHECK (num_nonnulls(hold_amount, hold_captured, hold_released, hold_expires_at) = 0
      or coalesce(type = 'deduct' and authorization_id is null and hold_expires_at is not null
        and hold_amount >= 1 and hold_captured >= 0 and hold_released >= 0
        and hold_captured + hold_released <= hold_amount, false));--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_hold_status" CHECK (case status
      when 'authorized' then coalesce(hold_captured = 0 and hold_released < hold_amount, false)
      when 'reversed' then coalesce(hold_released = hold_amount, false)
      when 'expired' then coalesce(hold_released = hold_amount, false)
      when 'declined' then hold_amount is null
      else hold_amount is null or hold_captured >= 1 end);--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_refunded" CHECK (refunded between 0 and amount and (refunded = 0 or (type = 'deduct' and status = 'settled')));--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_refund" CHECK ((type = 'deduct-reversal') = (refund_of is not null));--> statement-breakpoint
create trigger processor_operations_append_only before update or delete or truncate on processor_operations
  for each statement execute function refuse_change();
--> statement-breakpoint

-- What has settled stays as it settled; a hold and what was given back only ever grow.
create function keep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.authorization_id, old.refund_of,
      old.hold_amount, old.created_at)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.authorization_id,
      new.refund_of, new.hold_amount, new.created_at) then
    raise exception 'transactions_identity: a transaction keeps its card, its type and its hold'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.status <> 'authorized'
    and (old.status, old.amount, old.transfer_id, old.account_version, old.card_balance_before,
      old.card_balance_after, old.settled_at)
    is distinct from (new.status, new.amount, new.transfer_id, new.account_version, new.card_balance_before,
      new.card_balance_after, new.settled_at) then
    raise exception 'transactions_final: only an authorised transaction changes its status'
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.hold_captured < old.hold_captured or new.hold_released < old.hold_released
    or new.refunded < old.refunded then
    raise exception 'transactions_grow: what was captured, released or refunded is never taken back'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger transactions_kept before update or delete on transactions
  for each row execute function keep_transaction();
