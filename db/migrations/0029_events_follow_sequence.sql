-- The position of a row in the feed: the latest of its own transaction and those that had ended when it was written. A
-- transaction may be older than one whose lock it waited for; its own id alone would place its events before that one's.
-- It stays at or above the transaction's own id, and below everything that begins later, so readers skip nothing.
create or replace function feed_position() returns xid8 language sql stable
  return (greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
    + feed_base())::text::xid8;
--> statement-breakpoint
-- Events at the same position are listed by their ids, which carry the database's time. If that clock was set back in
-- between, the transaction runs again, at a later position.
create or replace function check_events() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  fault text;
begin
  select case when p.sequence is null then 'gap' else 'order' end into fault
  from added e
  left join lateral (
    select sequence, xid, id from events where integrator_id = e.integrator_id and subject_type = e.subject_type
      and subject_id = e.subject_id and sequence = e.sequence - 1 offset 0
  ) p on true
  where e.sequence > 1 and (p.sequence is null or (p.xid, p.id) >= (e.xid, e.id))
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
