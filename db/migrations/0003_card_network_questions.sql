-- What a card network asks: verifications, approvals in part, amounts in the merchant's currency; text as it came where it
-- had to be cleaned.

ALTER TABLE "transactions" DROP CONSTRAINT "transactions_type";
--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_amount";
--> statement-breakpoint
ALTER TABLE "transactions" DROP CONSTRAINT "transactions_hold_status";
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "requested_amount" bigint;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "as_received" jsonb;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "merchant_amount" bigint;
--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "merchant_currency" text;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_requested" CHECK (requested_amount is null or coalesce(requested_amount > hold_amount, false)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_amount" CHECK (num_nonnulls(merchant_amount, merchant_currency) = 0
      or coalesce(merchant_amount between 0 and 9007199254740991 and merchant_currency ~ '^[A-Z]{3}$'
        and type in ('deduct', 'verification'), false)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_type" CHECK ("transactions"."type" in ('credit', 'debit', 'deduct', 'deduct-reversal', 'verification')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_amount" CHECK (case type when 'verification' then amount = 0 and status in ('authorized', 'declined')
      else amount between 1 and 9007199254740991 end) NOT VALID;
--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_hold_status" CHECK (case status
      when 'authorized' then coalesce(hold_captured = 0 and hold_released < hold_amount, type = 'verification')
      when 'reversed' then coalesce(hold_released = hold_amount, false)
      when 'expired' then coalesce(hold_released = hold_amount, false)
      when 'declined' then hold_amount is null
      else hold_amount is null or hold_captured >= 1 end) NOT VALID;
--> statement-breakpoint

-- New guards, above: transactions_requested, by which an authorization in part is for less than was asked for, and
-- transactions_merchant_amount, by which a merchant's amount has its currency. No earlier row has these amounts.
-- Changed guards, above: transactions_type and transactions_amount, for verifications, of the amount 0 and with nothing else;
-- transactions_hold_status, by which nothing but a verification is authorized without a hold. They are weaker than before, so
-- rows that satisfied the earlier ones satisfy these.

-- Changed guard: transactions_identity, which also keeps the text as it came, and the amounts that were asked for.
create or replace function keep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.authorization_id, old.refund_of,
      old.hold_amount, old.created_at, old.narrative, old.merchant, old.as_received,
      old.requested_amount, old.merchant_amount, old.merchant_currency, old.decline_reason, old.decline_explanation,
      old.decline_forced, old.actor, old.request_id, old.address)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.authorization_id,
      new.refund_of, new.hold_amount, new.created_at, new.narrative, new.merchant, new.as_received,
      new.requested_amount, new.merchant_amount, new.merchant_currency, new.decline_reason, new.decline_explanation,
      new.decline_forced, new.actor, new.request_id, new.address) then
    raise exception 'transactions_identity: a transaction keeps its card, its type, its hold, and its words'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.status <> 'authorized' and new.status <> old.status then
    raise exception 'transactions_final: only an authorized transaction changes its status'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, new.status) <> ('authorized', 'settled')
    and (old.amount, old.transfer_id, old.account_version, old.card_balance_before, old.card_balance_after,
      old.settled_at)
    is distinct from (new.amount, new.transfer_id, new.account_version, new.card_balance_before,
      new.card_balance_after, new.settled_at) then
    raise exception 'transactions_money: amount and balances change once, when an authorization settles'
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.hold_captured < old.hold_captured or new.hold_released < old.hold_released
    or new.refunded < old.refunded then
    raise exception 'transactions_grow: what was captured, released or refunded is never taken back'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
