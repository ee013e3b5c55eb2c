-- What a card network asks: verifications, increments, approvals in part, amounts in the merchant's currency; text as it came
-- where it had to be cleaned.

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

-- Changed guards:
-- transactions_identity also keeps the text as it came and the amounts that were asked for, and no longer the amount of a hold:
-- transactions_increment, new, lets it grow while nothing of it was captured, together with the amount and with what was asked
-- for. What was asked for in addition never changes. transactions_money lets an amount grow with its hold.
create or replace function keep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.authorization_id, old.refund_of,
      old.hold_amount is null, old.created_at, old.narrative, old.merchant, old.as_received,
      old.requested_amount - old.hold_amount, old.merchant_amount, old.merchant_currency, old.decline_reason,
      old.decline_explanation, old.decline_forced, old.actor, old.request_id, old.address)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.authorization_id,
      new.refund_of, new.hold_amount is null, new.created_at, new.narrative, new.merchant, new.as_received,
      new.requested_amount - new.hold_amount, new.merchant_amount, new.merchant_currency, new.decline_reason,
      new.decline_explanation, new.decline_forced, new.actor, new.request_id, new.address) then
    raise exception 'transactions_identity: a transaction keeps its card, its type, its hold, and its words'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.status <> 'authorized' and new.status <> old.status then
    raise exception 'transactions_final: only an authorized transaction changes its status'
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.hold_amount <> old.hold_amount and (new.hold_amount < old.hold_amount
      or (old.status, old.hold_released, old.hold_expires_at)
        is distinct from ('authorized', new.hold_released, new.hold_expires_at)
      or new.status <> 'authorized') then
    raise exception 'transactions_increment: a hold grows by an increment only, while its authorization is open'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, new.status) <> ('authorized', 'settled')
    and (old.amount + coalesce(new.hold_amount - old.hold_amount, 0), old.transfer_id, old.account_version,
      old.card_balance_before, old.card_balance_after, old.settled_at)
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
--> statement-breakpoint

-- New guard: transactions_increment_held. A hold grows together with what its card holds.
create function check_increment() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_accounts a
    where a.integrator_id = new.integrator_id and a.id = new.card_id and a.held <> (
      select coalesce(sum(x.hold_amount - x.hold_captured - x.hold_released), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and x.hold_captured + x.hold_released < x.hold_amount
    )
  ) then
    raise exception 'transactions_increment_held: a hold grows together with what its card holds'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transactions_increment_held after update of hold_amount on transactions
  deferrable initially deferred
  for each row when (new.hold_amount > old.hold_amount) execute function check_increment();
--> statement-breakpoint

-- Changed guard: transactions_sums counts what was captured, not the declined increments that name the authorization.
create or replace function check_transaction_sums() returns trigger language plpgsql as $$
begin
  if exists (
    select from transactions x
    where x.integrator_id = new.integrator_id and x.id = new.id and (
      x.hold_captured <> least(x.hold_amount - x.hold_released, case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id and c.status = 'settled'
      ))
      or x.refunded <> (
        select coalesce(sum(r.amount), 0) from transactions r
        where r.integrator_id = x.integrator_id and r.refund_of = x.id
      )
    )
  ) then
    raise exception 'transactions_sums: what was captured or refunded is the sum of the captures or refunds'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
