import type { Sql } from "postgres";

/**
 * Events and transfers are read in the order in which they became visible: by the latest transaction id in use when
 * they were written, which is that of their own transaction or of one that had already ended. Ids are comparable only
 * within the cluster that assigned them. So we store a position: that id plus a base. In another cluster (after a
 * restore from a dump, or logical replication) new rows get a base that places them after all existing ones. Rows are
 * never rewritten, and consumers' cursors stay valid. The base is in the function `feed_base`, because a constant
 * adds no cost to a write.
 */

/**
 * Detects whether this cluster wrote the rows, and moves the base if it did not. Streaming replicas, base
 * backups, and pg_upgrade keep every row as written, and so change nothing. Call it before serving, in one
 * process at a time.
 * @returns whether the base was moved.
 */
export async function keepFeedOrder(client: Sql): Promise<boolean> {
  const isMoved = await isFromElsewhere(client);
  if (isMoved) {
    await continueFeed(client);
  }
  await mark(client);
  return isMoved;
}

/** The last position, including those of the checkpoints; null when nothing was recorded yet. */
const LAST = `
  select max(last.xid) from (
    (select xid from transfers order by xid desc limit 1)
    union all
    select newest.xid from integrators i cross join lateral (
      select e.xid from events e where e.integrator_id = i.id order by e.xid desc limit 1
    ) newest
    union all
    select xid from books_checkpoints
    union all
    select xid from rollup_checkpoints
  ) last`;

/**
 * A restore writes rows anew, so that their `xmin` no longer equals the id they store; or they lie in this
 * cluster's future.
 */
export async function isFromElsewhere(client: Sql): Promise<boolean> {
  const [row] = await client.unsafe<{ rewritten: boolean; ahead: boolean }[]>(`
    select
      exists (select from feed_marks where (xid::text::bigint & 4294967295) <> xmin::text::bigint) as rewritten,
      coalesce((${LAST})::text::bigint
        > pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_base(), false) as ahead`);
  return row?.rewritten === true || row?.ahead === true;
}

/** More transaction ids than a cluster assigns between a backup and its loss: three years' worth at 10,000 a second. */
const GAP = "1099511627776";

/**
 * Places everything recorded from now on after every cursor ever given out, including cursors to rows that a restore
 * lost. After a restore into the cluster that wrote the rows, nothing in the rows shows it, so an operator must ask
 * for this. Requires the role that owns the tables.
 */
export async function continueFeed(client: Sql): Promise<void> {
  await client.begin(async (tx) => {
    // Waits until writers with the old base have committed; later writers plan with the new one.
    await tx`lock table transfers, events in share row exclusive mode`;
    const [row] = await tx.unsafe<{ base: string }[]>(
      `select (coalesce((${LAST})::text::bigint, feed_base()) + ${GAP})::text as base`,
    );
    if (!row || !/^[0-9]+$/u.test(row.base)) {
      throw new Error(`The order of events cannot continue from ${row?.base}.`);
    }
    await tx.unsafe(
      `create or replace function feed_base() returns bigint language sql stable parallel safe return ${row.base}::bigint`,
    );
  });
}

/**
 * Two transactions: a restore writes both rows in one transaction or in consecutive ones, so it cannot match
 * both ids.
 */
async function mark(client: Sql): Promise<void> {
  for (const id of [1, 2]) {
    await client`select pg_current_xact_id()`;
    await client`
      insert into feed_marks (id, xid) values (${id}, pg_current_xact_id())
      on conflict (id) do update set xid = excluded.xid`;
  }
}
