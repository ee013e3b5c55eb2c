-- What only the domain does, and always as a whole: each half alone is refused at the end of its transaction.

-- A refund to a closed card is swept to the float in the same transaction.
create function check_closed() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_accounts
    where integrator_id = new.integrator_id and id = new.id and status = 'closed' and (balance <> 0 or held <> 0)
  ) then
    raise exception 'ledger_accounts_closed_empty: a closed card holds no money'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger ledger_accounts_closed_empty after insert or update of status, balance, held on ledger_accounts
  deferrable initially deferred
  for each row when (new.status = 'closed') execute function check_closed();
--> statement-breakpoint
create function check_status_event() returns trigger language plpgsql as $$
begin
  if not exists (
    select from events
    where integrator_id = new.integrator_id and subject_type = 'card' and subject_id = new.id
      and sequence > old.event_sequence and sequence <= new.event_sequence
      and event = case new.status when 'active' then 'card.unfrozen' else 'card.' || new.status end
  ) then
    raise exception 'ledger_accounts_status_event: a card''s status changes with its event'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger ledger_accounts_status_event after update of status on ledger_accounts
  deferrable initially deferred
  for each row when (new.status is distinct from old.status) execute function check_status_event();
--> statement-breakpoint
create function check_held() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_accounts a
    where a.integrator_id = new.integrator_id and a.id = new.id and a.held <> (
      select coalesce(sum(x.hold_amount - x.hold_captured - x.hold_released), 0) from transactions x
      where x.integrator_id = a.integrator_id and x.card_id = a.id and x.hold_captured + x.hold_released < x.hold_amount
    )
  ) then
    raise exception 'ledger_accounts_holds: what an account holds is the sum of its open authorizations'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Only where funds are set free: the sum would cost each authorization a look at all others of its card.
create constraint trigger ledger_accounts_holds after update of held on ledger_accounts
  deferrable initially deferred
  for each row when (new.held < old.held) execute function check_held();
--> statement-breakpoint
create or replace function keep_account_identity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'ledger_accounts_kept: an account is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.kind, old.currency)
    is distinct from (new.integrator_id, new.id, new.kind, new.currency) then
    raise exception 'ledger_accounts_identity: an account keeps its owner, kind and currency'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.status = 'closed' and new.status <> 'closed' then
    raise exception 'ledger_accounts_closed: closing a card is final'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, old.held) is distinct from (new.status, new.held) and new.event_sequence <= old.event_sequence then
    raise exception 'ledger_accounts_event: a card''s status and its held funds change with an event'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create function check_transaction_sums() returns trigger language plpgsql as $$
begin
  if exists (
    select from transactions x
    where x.integrator_id = new.integrator_id and x.id = new.id and (
      x.hold_captured <> least(x.hold_amount - x.hold_released, case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id
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
--> statement-breakpoint
create constraint trigger transactions_sums after update of hold_captured, hold_released, refunded on transactions
  deferrable initially deferred
  for each row when (
    (new.hold_captured, new.hold_released, new.refunded) is distinct from (old.hold_captured, old.hold_released, old.refunded)
  ) execute function check_transaction_sums();
--> statement-breakpoint

-- What a transaction is never changes. Its amount and its money change once, when an authorization settles.
create or replace function keep_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.authorization_id, old.refund_of,
      old.hold_amount, old.created_at, old.narrative, old.merchant, old.decline_reason, old.decline_explanation,
      old.actor, old.request_id)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.authorization_id,
      new.refund_of, new.hold_amount, new.created_at, new.narrative, new.merchant, new.decline_reason,
      new.decline_explanation, new.actor, new.request_id) then
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
