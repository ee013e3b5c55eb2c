import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { toSpend } from "#lib/overview/internal/spend-rows.ts";
import { BY_INDEX } from "#db/by-index.ts";
import { inWritingSnapshot } from "#db/long-transactions.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import { isRetryable } from "#db/failures.ts";

/** The overview also reads the movements since the last rollup, so this interval bounds how many it reads. */
const PERIOD_MS = 2_000;

/** The `application_name` of the connection that rolls up. */
export const ROLLUP_NAME = "floatdeck rollup";

/** The maximum number of rows of each kind per transaction, so that each stays short after a backlog. */
const BATCH_ROWS = 50_000;

/** An arbitrary number. The process that holds this lock rolls up. */
const LOCK = 7_203_121;

/** Keeps the overview's sums up to date. Only one process at a time does the work. */
export function startRollup(db: Db): { stop(): void } {
  const stopped = new AbortController();
  void rollUpContinuously(db, stopped.signal);
  return { stop: () => stopped.abort() };
}

async function rollUpContinuously(db: Db, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const isBehind = await rollUp(db).catch((error: unknown) => {
      // Another process was faster.
      if (!stopped.aborted && !isRetryable(error)) {
        log.error({ err: error }, "The overview's sums could not be updated.");
      }
      return false;
    });
    if (!isBehind) {
      await sleep(PERIOD_MS, undefined, { ref: false, signal: stopped }).catch(() => undefined);
    }
  }
}

/**
 * Adds the rows that became visible since the checkpoint to the sums, and moves the checkpoint, in one transaction.
 * Every row below the feed's horizon stays visible, so each is counted exactly once.
 * @returns whether there is more to add.
 */
export async function rollUp(db: Db, batchRows = BATCH_ROWS): Promise<boolean> {
  return inWritingSnapshot(db, async (tx) => {
    const range = await findRange(tx, batchRows);
    if (!range) {
      return false;
    }
    await addTransfers(tx, range);
    await addSpend(tx, range);
    await addStateChanges(tx, range);
    await tx.execute(sql`
      insert into rollup_checkpoints (id, xid) values (1, ${range.until}::text::xid8)
      on conflict (id) do update set xid = excluded.xid`);
    return !range.isLast;
  });
}

interface Range {
  from: string;
  /** Exclusive. */
  until: string;
  isLast: boolean;
}

/** The range to add next. Undefined when nothing is new, or while another process is adding. */
async function findRange(tx: Tx, batchRows: number): Promise<Range | undefined> {
  // Use the index of positions, whatever the statistics say.
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free, ${BY_INDEX}`,
  );
  if (!lock?.free) {
    return undefined;
  }
  const [row] = await tx.execute<{
    from: string;
    until: string;
    horizon: string;
    isNew: boolean;
  }>(sql`
    with start as materialized (select coalesce((select xid from rollup_checkpoints), '0'::xid8) as xid),
    horizon as materialized (select feed_horizon() as xid),
    -- A transaction is counted whole: a batch ends with the last row's, not before it.
    ends as materialized (
      select (select t.xid from transfers t where t.xid >= (select xid from start)
          order by t.xid offset ${batchRows}::int limit 1) as transfers,
        (select c.xid from card_state_changes c where c.xid >= (select xid from start)
          order by c.xid offset ${batchRows}::int limit 1) as changes
    )
    select start.xid::text as "from", horizon.xid::text as horizon,
      least(horizon.xid::text::bigint, ends.transfers::text::bigint + 1, ends.changes::text::bigint + 1)::text as until,
      exists (select from transfers t where t.xid >= start.xid and t.xid < horizon.xid)
        or exists (select from card_state_changes c where c.xid >= start.xid and c.xid < horizon.xid) as "isNew"
    from start, horizon, ends`);
  if (!row?.isNew) {
    return undefined;
  }
  return { from: row.from, until: row.until, isLast: row.until === row.horizon };
}

async function addTransfers(tx: Tx, { from, until }: Range): Promise<void> {
  await tx.execute(sql`
    insert into transfer_rollups (integrator_id, quarter, kind, amount)
    select integrator_id, date_bin('15 minutes', created_at, 'epoch'), kind, sum(amount)
    from transfers where xid >= ${from}::text::xid8 and xid < ${until}::text::xid8
    group by 1, 2, 3
    on conflict (integrator_id, quarter, kind) do update set amount = transfer_rollups.amount + excluded.amount`);
}

/** Adds every purchase and refund to two sums: that of its quarter-hour, and that of its day. */
async function addSpend(tx: Tx, { from, until }: Range): Promise<void> {
  const spend = toSpend(
    sql`transfers where xid >= ${from}::text::xid8 and xid < ${until}::text::xid8`,
  );
  await tx.execute(sql`
    insert into spend_rollups (integrator_id, span, start, category, country, purchased, refunded, transactions)
    select integrator_id, span, date_bin(length, created_at, 'epoch'), category, country, sum(purchased), sum(refunded), count(*)
    from ${spend} as spend cross join (values ('quarter', interval '15 minutes'), ('day', interval '1 day')) as spans (span, length)
    group by 1, 2, 3, 4, 5
    on conflict (integrator_id, span, start, category, country) do update set
      purchased = spend_rollups.purchased + excluded.purchased,
      refunded = spend_rollups.refunded + excluded.refunded,
      transactions = spend_rollups.transactions + excluded.transactions`);
}

async function addStateChanges(tx: Tx, { from, until }: Range): Promise<void> {
  await tx.execute(sql`
    insert into card_rollups (integrator_id, status, cards)
    select integrator_id, side.status, sum(side.cards)
    from card_state_changes cross join lateral (values (to_status, 1), (from_status, -1)) as side (status, cards)
    where xid >= ${from}::text::xid8 and xid < ${until}::text::xid8 and side.status is not null
    group by 1, 2
    on conflict (integrator_id, status) do update set cards = card_rollups.cards + excluded.cards`);
}
