-- What a card network's questions leave: text as it came where it had to be cleaned.

ALTER TABLE "transactions" ADD COLUMN "as_received" jsonb;
--> statement-breakpoint

-- Changed guard: transactions_identity, which also keeps the text as it came.
create or replace function keep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.authorization_id, old.refund_of,
      old.hold_amount, old.created_at, old.narrative, old.merchant, old.as_received, old.decline_reason,
      old.decline_explanation, old.decline_forced, old.actor, old.request_id, old.address)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.authorization_id,
      new.refund_of, new.hold_amount, new.created_at, new.narrative, new.merchant, new.as_received,
      new.decline_reason, new.decline_explanation, new.decline_forced, new.actor, new.request_id, new.address) then
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
