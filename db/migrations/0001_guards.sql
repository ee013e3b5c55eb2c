-- What no client, however wrong, can do to the books.
--
-- Each function says where it looks for tables, because a body that is text is parsed in the session of whoever runs it.
-- The schema of temporary tables comes last: where it is not listed, it is searched first.

create function refuse_change() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'append_only: rows of % are never changed or removed', tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;
--> statement-breakpoint

create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();
--> statement-breakpoint

create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();
--> statement-breakpoint

create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change();
--> statement-breakpoint

create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
--> statement-breakpoint

create trigger card_state_changes_append_only before update or delete or truncate on card_state_changes
  for each statement execute function refuse_change();
--> statement-breakpoint

create trigger processor_operations_append_only before update or delete or truncate on processor_operations
  for each statement execute function refuse_change();
--> statement-breakpoint

create function check_transfer() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if (
    select count(*) = 2 and sum(amount) = 0 from entries
    where integrator_id = new.integrator_id and transfer_id = new.id
  ) is not true then
    raise exception 'transfers_balanced: a transfer needs two entries that sum to zero'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transfers_balanced after insert on transfers
  deferrable initially deferred
  for each row execute function check_transfer();
--> statement-breakpoint

-- Each row is looked up by its key: a fenced sub-select (OFFSET 0) leaves the planner no other way to join. The entry before
-- is found by the order of an index. An equality would be looked up in any index that begins with the integrator's id, if
-- it was planned while the table had one page: all of them cost the same then.
create function check_entries() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  fault text;
begin
  select case
    when e.amount <> case e.account_id
      when t.debit_account_id then -t.amount
      when t.credit_account_id then t.amount
      else 0 end
      then 'entries_transfer_side: an entry must be one side of its transfer'
    when (a.balance is null) <> (e.account_version is null)
      then 'entries_running_balance: float and card entries carry a version, outside entries none'
    when e.account_version is not null and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
      or e.account_version - 1 <> coalesce(p.account_version, 0))
      then 'entries_chain: an entry must follow the account''s last one without a gap'
    when e.account_version > a.version or (e.account_version = a.version and e.balance_after <> a.balance)
      then 'entries_account_balance: the account must already stand at the balance of its last entry'
    end into fault
  from added e
  left join lateral (
    select * from transfers where integrator_id = e.integrator_id and id = e.transfer_id offset 0
  ) t on true
  left join lateral (
    select * from ledger_accounts where integrator_id = e.integrator_id and id = e.account_id offset 0
  ) a on true
  left join lateral (
    select * from entries where integrator_id = e.integrator_id and account_id = e.account_id
      and account_version < e.account_version order by account_version desc limit 1
  ) p on true
  where e.amount <> case e.account_id
      when t.debit_account_id then -t.amount
      when t.credit_account_id then t.amount
      else 0 end
    or (a.balance is null) <> (e.account_version is null)
    or (e.account_version is not null and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
      or e.account_version - 1 <> coalesce(p.account_version, 0)))
    or e.account_version > a.version or (e.account_version = a.version and e.balance_after <> a.balance)
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create trigger entries_checked after insert on entries
  referencing new table as added
  for each statement execute function check_entries();
--> statement-breakpoint

create function check_account() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  account record;
  latest record;
begin
  -- The row as it stands now: the transaction may have changed it again since this check was queued.
  select balance, version into account from ledger_accounts
    where integrator_id = new.integrator_id and id = new.id;
  if not found then
    return null;
  end if;
  select balance_after, account_version into latest from entries
    where integrator_id = new.integrator_id and account_id = new.id and account_version is not null
    order by account_version desc limit 1;
  if account.version <> coalesce(latest.account_version, 0)
    or coalesce(account.balance, 0) <> coalesce(latest.balance_after, 0) then
    raise exception 'ledger_accounts_balance: an account''s balance is its last entry''s balance_after'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger ledger_accounts_balance after insert or update of balance, version on ledger_accounts
  deferrable initially deferred
  for each row execute function check_account();
--> statement-breakpoint

create function keep_account_identity() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
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
  if new.status = 'closed' and new.held > old.held then
    raise exception 'ledger_accounts_closed_held: nothing more is held on a closed card'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, old.held) is distinct from (new.status, new.held) and new.event_sequence <= old.event_sequence then
    raise exception 'ledger_accounts_event: a card''s status and its held funds change with an event'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger ledger_accounts_identity before update or delete on ledger_accounts
  for each row execute function keep_account_identity();
--> statement-breakpoint

-- What only the domain does, and always as a whole: each half alone is refused at the end of its transaction.

-- What a closed card receives, or no longer holds, is swept to the float in the same transaction.
create function check_closed() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from ledger_accounts
    where integrator_id = new.integrator_id and id = new.id and status = 'closed' and balance <> held
  ) then
    raise exception 'ledger_accounts_closed_empty: a closed card has only what its open authorizations hold'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger ledger_accounts_closed_empty after insert or update of status, balance, held on ledger_accounts
  deferrable initially deferred
  for each row when (new.status = 'closed') execute function check_closed();
--> statement-breakpoint

create function check_held() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
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

-- What an integrator owes is what its float could not pay, so an empty float comes first. Whoever changes the deficit has
-- locked the float, and a float gets money only by an update from zero, so a move of any other float reads nothing here.
create function check_deficit() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off as $$
begin
  if exists (
    select from ledger_accounts d
    join ledger_accounts f on f.integrator_id = d.integrator_id and f.currency = d.currency and f.kind = 'float' and f.kind <> 'card'
    where d.integrator_id = new.integrator_id and d.currency = new.currency and d.kind = 'deficit' and d.kind <> 'card'
      and d.balance < 0 and f.balance > 0
  ) then
    raise exception 'ledger_accounts_deficit: an integrator owes nothing while its float has money'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger ledger_accounts_deficit after update of balance on ledger_accounts
  deferrable initially deferred
  for each row when (
    (new.kind = 'deficit' and new.balance < 0) or (new.kind = 'float' and old.balance = 0 and new.balance > 0)
  ) execute function check_deficit();
--> statement-breakpoint

-- Only where funds are set free: the sum would cost each authorization a look at all others of its card.
create constraint trigger ledger_accounts_holds after update of held on ledger_accounts
  deferrable initially deferred
  for each row when (new.held < old.held) execute function check_held();
--> statement-breakpoint

-- Outside sandbox money comes into a float only as the processor reports it.
create function check_top_up() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off as $$
begin
  if exists (select from integrators where id = new.integrator_id and environment = 'live')
    and not exists (
      select from processor_operations
      where operation = 'createFunding' and integrator_id = new.integrator_id and request_id = new.request_id
    ) then
    raise exception 'transfers_funding: a live float is topped up by the processor alone'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transfers_funding after insert on transfers
  deferrable initially deferred
  for each row when (new.kind = 'float_top_up') execute function check_top_up();
--> statement-breakpoint

-- Whether the cardholder of a card is erased. None of their values may be stored any more.
create function is_card_erased(integrator uuid, card uuid) returns boolean language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from cards c join cardholders h on h.integrator_id = c.integrator_id and h.id = c.cardholder_id
    where c.integrator_id = integrator and c.id = card and h.erased_at is not null
  )
$$;
--> statement-breakpoint

-- What an authorization said, without what may name its cardholder.
create function without_words(said jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, public, pg_temp as $$
  select said || '{"narrative": null, "as_received": null}'
$$;
--> statement-breakpoint

-- What describes a transaction changes once, when a clearing describes an authorization differently: then `authorized_as` keeps
-- what was said. Erasing a cardholder clears the words of their cards, and what came for them.
create function keep_words(old transactions, new transactions) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  said jsonb := jsonb_build_object('narrative', old.narrative, 'merchant', old.merchant, 'as_received', old.as_received,
    'merchant_amount', old.merchant_amount, 'merchant_currency', old.merchant_currency);
begin
  if (old.status, new.status) = ('authorized', 'settled') and old.authorized_as is null then
    return (new.authorized_as - 'occurred_at') is not distinct from said
      and (new.authorized_as ->> 'occurred_at')::timestamptz is not distinct from old.occurred_at;
  end if;
  return (new.merchant, new.merchant_amount, new.merchant_currency, new.occurred_at, new.narrative, new.as_received, new.authorized_as)
    is not distinct from (old.merchant, old.merchant_amount, old.merchant_currency, old.occurred_at, null::text, null::jsonb,
      without_words(old.authorized_as))
    and is_card_erased(new.integrator_id, new.card_id);
end $$;
--> statement-breakpoint

-- What a transaction is never changes, except for the words that `keep_words` lets change. Its money
-- changes once, when an authorization settles; its hold can grow while something is held. A capture that came before its
-- authorization names it once it has arrived.
create function keep_transaction() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions_kept: a transaction is never removed'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.authorization_id is distinct from new.authorization_id
    and (old.authorization_id, old.posted_as) is distinct from (null::uuid, 'before_authorization') then
    raise exception 'transactions_authorization: a capture names its authorization once'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.integrator_id, old.id, old.card_id, old.type, old.currency, old.increment_of, old.refund_of,
      old.refund_exceeds, old.takes_back, old.cover_of, old.hold_amount is null, old.created_at,
      old.requested_amount - old.hold_amount, old.approved_by, old.overruled_decline, old.decline_reason, old.decline_explanation, old.decline_forced, old.held_before, old.actor, old.request_id, old.address)
    is distinct from (new.integrator_id, new.id, new.card_id, new.type, new.currency, new.increment_of,
      new.refund_of, new.refund_exceeds, new.takes_back, new.cover_of, new.hold_amount is null, new.created_at,
      new.requested_amount - new.hold_amount, new.approved_by, new.overruled_decline, new.decline_reason, new.decline_explanation, new.decline_forced, new.held_before, new.actor, new.request_id, new.address)
    or ((new.merchant, new.merchant_amount, new.merchant_currency, new.occurred_at, new.narrative, new.as_received,
          new.authorized_as)
        is distinct from (old.merchant, old.merchant_amount, old.merchant_currency, old.occurred_at, old.narrative,
          old.as_received, old.authorized_as)
      and not keep_words(old, new)) then
    raise exception 'transactions_identity: a transaction keeps its card, its type, its hold, and its words'
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.status <> 'authorized' and new.status <> old.status then
    raise exception 'transactions_final: only an authorized transaction changes its status'
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.hold_amount <> old.hold_amount and (new.hold_amount < old.hold_amount
      or old.hold_captured + old.hold_released = old.hold_amount
      or (old.status, old.hold_captured, old.hold_released, old.hold_expires_at)
        is distinct from (new.status, new.hold_captured, new.hold_released, new.hold_expires_at)) then
    raise exception 'transactions_increment: a hold grows by an increment only, while something is held'
      using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, new.status) <> ('authorized', 'settled')
    and (old.amount + case old.status when 'authorized' then coalesce(new.hold_amount - old.hold_amount, 0) else 0 end, old.transfer_id, old.account_version,
      old.card_balance_before, old.card_balance_after, old.settled_at, old.posted_as, old.covered_float,
      old.covered_deficit)
    is distinct from (new.amount, new.transfer_id, new.account_version, new.card_balance_before,
      new.card_balance_after, new.settled_at, new.posted_as, new.covered_float, new.covered_deficit) then
    raise exception 'transactions_money: amount, balances, and cover change once, when an authorization settles'
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.hold_captured < old.hold_captured or new.hold_released < old.hold_released
    or new.taken_back < old.taken_back then
    raise exception 'transactions_grow: what was captured, released or taken back stays so'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger transactions_kept before update or delete on transactions
  for each row execute function keep_transaction();
--> statement-breakpoint

-- A hold grows together with what its card holds.
create function check_increment() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
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

-- A closed card is still refunded, and purchases with it are declined. Once its cardholder is erased, without a narrative.
create function drop_narrative() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select status from ledger_accounts where integrator_id = new.integrator_id and id = new.card_id) = 'closed'
    and is_card_erased(new.integrator_id, new.card_id) then
    new.narrative := null;
    new.as_received := null;
    new.authorized_as := without_words(new.authorized_as);
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger transactions_erased before insert on transactions
  for each row when (num_nonnulls(new.narrative, new.as_received, new.authorized_as) > 0) execute function drop_narrative();
--> statement-breakpoint

-- So is what is held on a closed card still captured.
create trigger transactions_erased_settled before update on transactions
  for each row when (old.status = 'authorized' and new.status = 'settled' and new.authorized_as is not null)
  execute function drop_narrative();
--> statement-breakpoint

-- What a purchase's refunds sum up to, without those that were taken back. A refund that names an authorization is spread over all purchases of it, in an order
-- that the domain knows: of each purchase at least what names it alone is refunded, and of all of them no more than the sum.
create function is_refunded(integrator uuid, purchase uuid) returns boolean language sql stable
  set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  select case
    when spread.refunds = 0 or spread.purchases = 1 then x.refunded = least(x.amount, named.total)
    else x.refunded >= least(x.amount, named.alone) and spread.refunded <= spread.total end
  from transactions x
  cross join lateral (
    select coalesce(sum(r.amount - r.taken_back), 0) as total,
      coalesce(sum(r.amount - r.taken_back) filter (where r.authorization_id is null), 0) as alone
    from transactions r where r.integrator_id = x.integrator_id and r.refund_of = x.id
  ) named
  cross join lateral (
    select count(*) filter (where s.type = 'deduct') as purchases,
      count(*) filter (where s.type = 'deduct-reversal') as refunds,
      sum(s.refunded) as refunded,
      sum((select sum(r.amount - r.taken_back) from transactions r
        where r.integrator_id = s.integrator_id and r.refund_of = s.id)) as total
    from (
      select * from transactions c
      where c.integrator_id = x.integrator_id and c.authorization_id = coalesce(x.authorization_id, x.id)
      union all
      select * from transactions o where o.integrator_id = x.integrator_id and o.id = coalesce(x.authorization_id, x.id)
    ) s
    where s.status = 'settled'
  ) spread
  where x.integrator_id = integrator and x.id = purchase
$$;
--> statement-breakpoint

create function check_transaction_sums() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from transactions x
    where x.integrator_id = new.integrator_id and x.id in (new.id, new.authorization_id) and (
      x.hold_captured <> least(x.hold_amount - x.hold_released, case x.status when 'settled' then x.amount else 0 end + (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.authorization_id = x.id and c.status = 'settled'
          and c.type = 'deduct'
      ))
      or (new.refunded <> old.refunded and not is_refunded(x.integrator_id, x.id))
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

-- What came before its authorization.
create constraint trigger transactions_sums_early after insert on transactions
  deferrable initially deferred
  for each row when (new.hold_captured > 0) execute function check_transaction_sums();
--> statement-breakpoint

create constraint trigger transactions_sums_named after update of authorization_id on transactions
  deferrable initially deferred
  for each row when (new.authorization_id is distinct from old.authorization_id) execute function check_transaction_sums();
--> statement-breakpoint

-- Whether what was given back of a purchase's cover is what its refunds, or its reversal, must give back: the cover before
-- anything else. A refund that is spread over several purchases gives back the cover of any of them, and one that is taken
-- back leaves the cover that it gave back, so then it is some of the cover.
create function is_cover_returned(x transactions, given numeric) returns boolean language sql stable
  set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  select case
    when x.taken_back > 0 then given = coalesce(x.covered_float + x.covered_deficit, 0)
    when given = least(coalesce(x.covered_float + x.covered_deficit, 0), x.refunded) then true
    else given between 0 and x.covered_float + x.covered_deficit and (x.takes_back is not null or exists (
      select from transactions r
      where r.integrator_id = x.integrator_id and r.authorization_id = coalesce(x.authorization_id, x.id)
        and r.type = 'deduct-reversal'
    ) or exists (
      select from transactions r
      where r.integrator_id = x.integrator_id and r.refund_of = x.id and r.taken_back > 0
    )) end
$$;
--> statement-breakpoint

-- A refund counts in its purchase from its own transaction on.
create function check_refund() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_refunded(new.integrator_id, new.refund_of) then
    raise exception 'transactions_sums: what was captured or refunded is the sum of the captures or refunds'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transactions_refund_added after insert on transactions
  deferrable initially deferred
  for each row when (new.refund_of is not null) execute function check_refund();
--> statement-breakpoint

create constraint trigger transactions_refund_taken_back after update of taken_back on transactions
  deferrable initially deferred
  for each row when (new.refund_of is not null) execute function check_refund();
--> statement-breakpoint

-- What was taken back has its contra, of the same card and amount, and the other way around.
create function check_taken_back() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if not exists (
    select from transactions x
    where x.integrator_id = new.integrator_id and x.id = coalesce(new.takes_back, new.id) and exists (
      select from transactions c
      where c.integrator_id = x.integrator_id and c.takes_back = x.id and c.card_id = x.card_id and c.amount = x.taken_back
        and c.type = case x.type when 'deduct' then 'deduct-reversal' when 'deduct-reversal' then 'deduct' end
    )
  ) then
    raise exception 'transactions_contra_sums: what is taken back is the amount of one contra, once'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transactions_contra_added after insert on transactions
  deferrable initially deferred
  for each row when (new.takes_back is not null) execute function check_taken_back();
--> statement-breakpoint

create constraint trigger transactions_contra_named after update of taken_back on transactions
  deferrable initially deferred
  for each row when (new.taken_back is distinct from old.taken_back) execute function check_taken_back();
--> statement-breakpoint

-- What a card has not returned of its purchases' cover changes with the rows that bring cover or give it back.
create function add_cover_outstanding() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  update cards set cover_outstanding = cover_outstanding + case new.type when 'credit' then new.amount else -new.amount end
    where integrator_id = new.integrator_id and id = new.card_id;
  return null;
end $$;
--> statement-breakpoint

create trigger transactions_cover_outstanding after insert on transactions
  for each row when (new.cover_of is not null) execute function add_cover_outstanding();
--> statement-breakpoint

-- What covered a purchase came to its card, and what its refunds gave back left it again.
create function check_cover() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from transactions x
    where x.integrator_id = new.integrator_id and x.id = coalesce(new.cover_of, new.id) and (
      coalesce(x.covered_float + x.covered_deficit, 0) <> (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.cover_of = x.id and c.type = 'credit'
      )
      or not is_cover_returned(x, (
        select coalesce(sum(c.amount), 0) from transactions c
        where c.integrator_id = x.integrator_id and c.cover_of = x.id and c.type = 'debit'
      ))
    )
  ) then
    raise exception 'transactions_cover_sums: what covered a purchase is the sum of its credits, and its refunds give it back first'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger transactions_cover_added after insert on transactions
  deferrable initially deferred
  for each row when (new.cover_of is not null or new.covered_float is not null) execute function check_cover();
--> statement-breakpoint

create constraint trigger transactions_cover_changed after update of covered_float, refunded, taken_back on transactions
  deferrable initially deferred
  for each row when (new.covered_float is not null) execute function check_cover();
--> statement-breakpoint

-- Events at the same position are listed by their ids, which carry the database's time. If that clock was set back in
-- between, the transaction runs again, at a later position.
create function check_events() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  fault text;
begin
  select case when e.sequence - 1 <> coalesce(p.sequence, 0) then 'gap' else 'order' end into fault
  from added e
  left join lateral (
    select sequence, xid, id from events where integrator_id = e.integrator_id and subject_type = e.subject_type
      and subject_id = e.subject_id and sequence < e.sequence order by sequence desc limit 1
  ) p on true
  where e.sequence - 1 <> coalesce(p.sequence, 0) or (p.xid, p.id) >= (e.xid, e.id)
  limit 1;
  if fault = 'gap' then
    raise exception 'events_gapless: a subject''s events count on without a gap'
      using errcode = 'check_violation';
  elsif fault = 'order' then
    raise exception 'events_feed_order: the feed lists a subject''s events in the order of their sequence'
      using errcode = 'serialization_failure';
  end if;
  return null;
end $$;
--> statement-breakpoint

create trigger events_checked after insert on events
  referencing new table as added
  for each statement execute function check_events();
--> statement-breakpoint

-- Everyone's deliveries are in one table: an endpoint gets its own integrator's events only.
create function check_deliveries() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if exists (
    select from added d
    left join lateral (
      select e.id from webhook_endpoints p join events e on e.integrator_id = p.integrator_id
      where p.id = d.endpoint_id and e.id = d.event_id offset 0
    ) known on true
    where known.id is null
  ) then
    raise exception 'webhook_deliveries_event: a delivery is of an event of its endpoint''s integrator'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create trigger webhook_deliveries_checked after insert on webhook_deliveries
  referencing new table as added
  for each statement execute function check_deliveries();
--> statement-breakpoint

create trigger webhook_deliveries_kept before update of endpoint_id, event_id on webhook_deliveries
  for each statement execute function refuse_change();
--> statement-breakpoint

create function check_status_event() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
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

-- A card's freezes are described in its own row, and decide about its money in that of its account.
create function check_freezes() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from cards c join ledger_accounts a on a.integrator_id = c.integrator_id and a.id = c.id
    where c.integrator_id = new.integrator_id and c.id = new.id
      and ((a.status = 'frozen') <> (c.freezes is not null)
        or a.freeze_due_at is distinct from (select min((value->>'until')::timestamptz) from jsonb_each(c.freezes)))
  ) then
    raise exception 'cards_freezes_account: a card is frozen while a freeze of it stands, until the end that its account knows'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger cards_with_freezes after insert or update of freezes on cards
  deferrable initially deferred
  for each row execute function check_freezes();
--> statement-breakpoint

create constraint trigger ledger_accounts_with_freezes after update of status, freeze_due_at on ledger_accounts
  deferrable initially deferred
  for each row when (
    (new.status, new.freeze_due_at) is distinct from (old.status, old.freeze_due_at)
  ) execute function check_freezes();
--> statement-breakpoint

create function keep_installation() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'UPDATE'
    or (old.installation_id, old.environment) is distinct from (new.installation_id, new.environment) then
    raise exception 'installation_identity: an installation keeps its id and its environment'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger installation_kept before update or delete on installation
  for each row execute function keep_installation();
--> statement-breakpoint

create function check_integrator_environment() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if old.environment <> new.environment then
      raise exception 'integrators_environment: an integrator keeps its environment'
        using errcode = 'integrity_constraint_violation';
    end if;
  elsif exists (select from installation where environment <> new.environment) then
    raise exception 'integrators_environment: an integrator has the environment of its installation'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger integrators_environment_kept before insert or update of environment on integrators
  for each row execute function check_integrator_environment();
--> statement-breakpoint

create function set_staff_vouched() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Locked against being vouched for in between. An unknown integrator is the other foreign key's to refuse.
  new.email_vouched := coalesce(
    (select vouched from integrators where id = new.integrator_id for key share), false);
  return new;
end $$;
--> statement-breakpoint

create trigger staff_vouched_set before insert on staff
  for each row execute function set_staff_vouched();
--> statement-breakpoint

-- What the planner knows of the text that transactions are searched by: the expression of the index transactions_text.
create statistics transactions_words on (search_text(nullif(coalesce(narrative, '') || ' ' || coalesce(merchant->>'name', '') || ' '
    || coalesce(decline_reason || ' ' || replace(decline_reason, '_', ' '), ''), '  '))) from transactions;
--> statement-breakpoint

-- An erasure locks the cardholder for update, and waits for whoever holds this lock on their key.
create function keep_personal_values() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  erased_since timestamptz;
begin
  if tg_op = 'INSERT' then
    select erased_at into erased_since from cardholders
      where integrator_id = new.integrator_id and id = new.cardholder_id for key share;
    if erased_since is not null then
      raise exception 'personal_values_erased: nothing personal is stored of an erased cardholder'
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if tg_op = 'DELETE' then
    select erased_at into erased_since from cardholders
      where integrator_id = old.integrator_id and id = old.cardholder_id;
    if erased_since is not null then
      return old;
    end if;
  end if;
  raise exception 'personal_values_kept: what a record says of a cardholder goes only when they are erased'
    using errcode = 'integrity_constraint_violation';
end $$;
--> statement-breakpoint

create trigger personal_values_kept before insert or update or delete on personal_values
  for each row execute function keep_personal_values();
--> statement-breakpoint

create trigger personal_values_whole before truncate on personal_values
  for each statement execute function keep_personal_values();
--> statement-breakpoint

create function keep_erased() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.erasure_passes < old.erasure_passes
    or (old.erased_at, old.email, old.first_name, old.last_name, old.phone_number, old.id_type, old.id_last4,
      old.address, old.user_photo)
    is distinct from (new.erased_at, new.email, new.first_name, new.last_name, new.phone_number, new.id_type,
      new.id_last4, new.address, new.user_photo) then
    raise exception 'cardholders_erased: an erased cardholder stays erased'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger cardholders_erased before update on cardholders
  for each row when (old.erased_at is not null) execute function keep_erased();
--> statement-breakpoint

create function check_erasure() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from cards c join ledger_accounts a on a.integrator_id = c.integrator_id and a.id = c.id
    where c.integrator_id = new.integrator_id and c.cardholder_id = new.id and a.status <> 'closed'
  ) then
    raise exception 'cardholders_erased_cards: only a cardholder whose cards are all closed is erased'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger cardholders_erased_cards before update of erased_at on cardholders
  for each row when (old.erased_at is null and new.erased_at is not null) execute function check_erasure();
--> statement-breakpoint

-- Waits for an erasure that has begun.
create function check_card_owner() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  erased_since timestamptz;
begin
  select erased_at into erased_since from cardholders
    where integrator_id = new.integrator_id and id = new.cardholder_id for key share;
  if erased_since is not null then
    raise exception 'cards_erased: an erased cardholder gets no card' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger cards_erased before insert or update of cardholder_id on cards
  for each row execute function check_card_owner();
--> statement-breakpoint

-- A card is replaced once, and the two name each other.
create function check_replacement() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (
    new.replaces is distinct from old.replaces
      or (old.replaced_by is not null and new.replaced_by is distinct from old.replaced_by)
  ) then
    raise exception 'cards_replacement_kept: a card is replaced once, and the one that replaces it never replaces another'
      using errcode = 'check_violation';
  end if;
  if new.replaces is not null and not exists (
    select from cards c join ledger_accounts a on a.integrator_id = c.integrator_id and a.id = c.id
    where c.integrator_id = new.integrator_id and c.id = new.replaces and c.replaced_by = new.id and a.status = 'closed'
  ) or new.replaced_by is not null and not exists (
    select from cards where integrator_id = new.integrator_id and id = new.replaced_by and replaces = new.id
  ) then
    raise exception 'cards_replacement: a replaced card is closed, and names the one that replaces it, and that one names it'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint

create constraint trigger cards_replacement after insert or update of replaces, replaced_by on cards
  deferrable initially deferred
  for each row when (new.replaces is not null or new.replaced_by is not null) execute function check_replacement();
--> statement-breakpoint

-- An approval begins waiting, is decided once, by somebody who may, and keeps what was asked. Only an erasure takes texts from it.
create function check_approval() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'waiting' or new.decider_id is not null or new.comment is not null then
      raise exception 'approvals_begin: an approval begins waiting' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (to_jsonb(new) - '{status,decider_id,decided_by,decided_at,request,comment}'::text[])
    <> (to_jsonb(old) - '{status,decider_id,decided_by,decided_at,request,comment}'::text[])
    or (new.request is distinct from old.request and new.request is not null) then
    raise exception 'approvals_asked: what was asked never changes' using errcode = 'check_violation';
  end if;
  if old.status <> 'waiting' and (
    (to_jsonb(new) - '{request,comment}'::text[]) <> (to_jsonb(old) - '{request,comment}'::text[])
      or (new.comment is distinct from old.comment and new.comment is not null)
  ) then
    raise exception 'approvals_decided_once: a decision is never changed' using errcode = 'check_violation';
  end if;
  if new.status = 'approved' and old.status = 'waiting' and (
    old.expires_at <= clock_timestamp() or new.request is distinct from old.request or not exists (
      select from staff where integrator_id = new.integrator_id and id = new.decider_id
        and role in ('owner', 'admin') and removed_at is null
    )
  ) then
    raise exception 'approvals_approver: an owner or an admin approves, in time, what was asked'
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint

create trigger approvals_kept before insert or update on approvals
  for each row execute function check_approval();
--> statement-breakpoint

create trigger approvals_never_removed before delete or truncate on approvals
  for each statement execute function refuse_change();
--> statement-breakpoint

create function check_unapproved_move() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if abs(extract(epoch from clock_timestamp() - new.created_at)) > 600 then
      raise exception 'unapproved_moves_now: a move is counted when it is made' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' or old.created_at > clock_timestamp() - interval '24 hours' then
    raise exception 'unapproved_moves_kept: what a person has moved counts for 24 hours'
      using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
--> statement-breakpoint

create trigger unapproved_moves_kept before insert or update or delete on unapproved_moves
  for each row execute function check_unapproved_move();
--> statement-breakpoint

create trigger unapproved_moves_truncated before truncate on unapproved_moves
  for each statement execute function refuse_change();
