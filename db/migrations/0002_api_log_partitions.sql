-- The API log is partitioned by week, so that an old week is dropped and not deleted row by row. This migration only
-- brings what that takes, and locks nothing. `db/api-log-partitions.ts` converts the table afterward, because its rows
-- must be read without a lock that outlives the statement.

-- The smallest UUIDv7 of a time.
create function api_log_first_id(at timestamptz) returns uuid language sql immutable strict
  set search_path = pg_catalog, public, pg_temp as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
--> statement-breakpoint
-- The partitions and the times of their ids. What is earlier than the first week has no `starts_at`; the default partition
-- has neither.
create function api_log_partitions() returns table (name text, starts_at timestamptz, ends_at timestamptz)
  language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select c.relname::text,
    to_timestamp(('x0000' || left(replace(substring(bound from 'FROM \(''([^'']+)'), '-', ''), 12))::bit(64)::bigint / 1000.0),
    to_timestamp(('x0000' || left(replace(substring(bound from 'TO \(''([^'']+)'), '-', ''), 12))::bit(64)::bigint / 1000.0)
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral pg_get_expr(c.relpartbound, c.oid) as bound
  where i.inhparent = 'public.api_log'::regclass
$$;
--> statement-breakpoint
-- Takes the rows that no other partition takes.
create table api_log_default (like api_log including all);
--> statement-breakpoint
-- Rows of no week, and those from before the first one, are deleted one by one when they expire. A week is dropped whole, so
-- its rows are not indexed by their time.
create index api_log_default_age on api_log_default (created_at);
--> statement-breakpoint
create index api_log_age on api_log (created_at);
--> statement-breakpoint

-- Drops one partition whose rows are all older than 30 days, or else creates one of this week's and the next four.
-- Returns what it did; null when nothing is left to do. Owned by the owner of the tables, so that the server's role can
-- call it but can drop nothing else. It gives up on a lock after 0.2 s, because everyone else waits behind it.
create function keep_api_log() returns text language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  partition text;
  week timestamptz;
  first_id uuid;
  end_id uuid;
begin
  if (select relkind from pg_class where oid = 'public.api_log'::regclass) <> 'p'
    or not pg_try_advisory_xact_lock(7203124) then
    return null;
  end if;

  select name into partition from public.api_log_partitions()
    where ends_at <= statement_timestamp() - interval '30 days' order by ends_at limit 1;
  if found then
    execute format('drop table public.%I', partition);
    return 'dropped ' || partition;
  end if;

  for n in 0..4 loop
    week := date_trunc('week', statement_timestamp()) + n * interval '7 days';
    first_id := public.api_log_first_id(week);
    end_id := public.api_log_first_id(week + interval '7 days');
    -- A week that has rows in the default partition stays there. Its rows are deleted one by one.
    if not exists (
      select from public.api_log_partitions()
      where ends_at > week and coalesce(starts_at, '-infinity') < week + interval '7 days'
    ) and not exists (select from public.api_log_default where id >= first_id and id < end_id) then
      partition := to_char(week, '"api_log_"YYYY_MM_DD');
      execute format('create table public.%I (like public.api_log including all)', partition);
      -- Attached rather than created in place, so that the log is read and written meanwhile.
      execute format('alter table public.api_log attach partition public.%I for values from (%L) to (%L)',
        partition, first_id, end_id);
      return 'created ' || partition;
    end if;
  end loop;
  return null;
end $$;
--> statement-breakpoint
revoke execute on function keep_api_log() from public;
--> statement-breakpoint

-- A row of the last 30 days is neither changed nor deleted. Without an error, because a server of the version before deletes
-- expired rows by their `ctid`, which rows of other partitions have as well. An erasure clears keys and details that name the
-- cardholder, and nothing else.
create function keep_logged_request() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if new.idempotency_key is null then
      old.idempotency_key := null;
    end if;
    if new.detail is null then
      old.detail := null;
    end if;
    if new is not distinct from old then
      return new;
    end if;
  end if;
  return null;
end $$;
--> statement-breakpoint

-- Promises that all rows are from before a time about four weeks ahead. `validate constraint` then proves it beside writers.
create function bound_api_log() returns void language plpgsql
  set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' as $$
declare
  end_id uuid := api_log_first_id(date_trunc('week', statement_timestamp()) + interval '28 days');
begin
  -- Another server may have made the partitions since this one looked.
  lock table api_log in access exclusive mode;
  if exists (select from pg_class where oid = 'api_log'::regclass and relkind = 'p')
    or exists (select from pg_constraint where conrelid = 'api_log'::regclass and conname = 'api_log_bound') then
    return;
  end if;
  execute format('alter table api_log add constraint api_log_bound check (id < %L) not valid', end_id);
  with odd as (delete from api_log where id >= end_id returning *)
    insert into api_log_default select * from odd;
end $$;
--> statement-breakpoint

-- Makes the table a partition of a new one with the same indexes and privileges. Reads no rows.
create function partition_api_log() returns void language plpgsql
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '500ms' as $$
declare
  bound text := (select pg_get_constraintdef(oid) from pg_constraint
    where conrelid = 'api_log'::regclass and conname = 'api_log_bound' and convalidated);
  definitions text[];
  definition text;
  index_name text;
  granted record;
begin
  -- In the order in which a logged request locks them.
  lock table api_log, integrators in access exclusive mode;
  select array_agg(pg_get_indexdef(indexrelid)) into definitions from pg_index
    where indrelid = 'api_log'::regclass and not indisprimary and indisvalid
      and indexrelid <> 'api_log_age'::regclass;
  for index_name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'api_log'::regclass loop
    execute format('alter index %I rename to %I', index_name, replace(index_name, 'api_log', 'api_log_earlier'));
  end loop;
  alter table api_log rename to api_log_earlier;

  -- New tables go to the first schema of the path, which is pg_catalog.
  create table public.api_log (like api_log_earlier including defaults) partition by range (id);
  alter table api_log add primary key (id);
  alter table api_log add constraint api_log_integrator_id_integrators_id_fk
    foreign key (integrator_id) references integrators (id);
  foreach definition in array definitions loop
    execute definition;
  end loop;
  execute format('alter table api_log attach partition api_log_earlier for values from (minvalue) to (%L)',
    substring(bound from '[0-9a-f-]{36}'));
  alter table api_log_earlier drop constraint api_log_bound;
  alter table api_log attach partition api_log_default default;
  create trigger api_log_kept before update or delete on api_log for each row
    when (old.created_at > statement_timestamp() - interval '30 days') execute function keep_logged_request();

  for granted in
    select a.privilege_type as privilege, coalesce(quote_ident(r.rolname), 'public') as role
    from pg_class c cross join lateral aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.oid = 'api_log_earlier'::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on api_log to %s', granted.privilege, granted.role);
  end loop;
end $$;
--> statement-breakpoint
revoke execute on function bound_api_log(), partition_api_log() from public;
