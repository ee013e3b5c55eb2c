-- What no client, however wrong, can do to the books.

create function refuse_change() returns trigger language plpgsql as $$
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

-- Set-wise, once a statement, because a batch writes hundreds of entries at once. The planner is held to index look-ups:
-- a plan made while the tables were small would otherwise be kept for the life of the connection.
create function check_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from added e
    join transfers t on t.integrator_id = e.integrator_id and t.id = e.transfer_id
    where e.amount <> case e.account_id
      when t.debit_account_id then -t.amount
      when t.credit_account_id then t.amount
      else 0 end
  ) then
    raise exception 'entries_transfer_side: an entry must be one side of its transfer'
      using errcode = 'check_violation';
  end if;

  if exists (
    select from added e
    join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id
    where (a.balance is null) <> (e.account_version is null)
  ) then
    raise exception 'entries_running_balance: float and card entries carry a version, outside entries none'
      using errcode = 'check_violation';
  end if;

  if exists (
    select from added e
    left join entries p on p.integrator_id = e.integrator_id and p.account_id = e.account_id
      and p.account_version = e.account_version - 1
    where e.account_version is not null
      and (e.balance_after - e.amount <> coalesce(p.balance_after, 0)
        or (e.account_version > 1 and p.account_version is null))
  ) then
    raise exception 'entries_chain: an entry must follow the account''s last one without a gap'
      using errcode = 'check_violation';
  end if;

  if exists (
    select from added e
    join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.account_id
    where e.account_version > a.version
      or (e.account_version = a.version and e.balance_after <> a.balance)
  ) then
    raise exception 'entries_account_balance: the account must already stand at the balance of its last entry'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger entries_checked after insert on entries
  referencing new table as added
  for each statement execute function check_entries();
--> statement-breakpoint

create function check_transfer() returns trigger language plpgsql
  set enable_seqscan = off as $$
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

create function check_account() returns trigger language plpgsql
  set enable_seqscan = off as $$
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

create function keep_account_identity() returns trigger language plpgsql as $$
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
  return new;
end $$;
--> statement-breakpoint
create trigger ledger_accounts_identity before update or delete on ledger_accounts
  for each row execute function keep_account_identity();
--> statement-breakpoint

create function check_events() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from added e
    left join events p on p.integrator_id = e.integrator_id and p.subject_type = e.subject_type
      and p.subject_id = e.subject_id and p.sequence = e.sequence - 1
    where e.sequence > 1 and p.sequence is null
  ) then
    raise exception 'events_gapless: a subject''s events count on without a gap'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger events_checked after insert on events
  referencing new table as added
  for each statement execute function check_events();
