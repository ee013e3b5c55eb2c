import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** How many of an integrator's cards one transaction changes: few enough to take only a fraction of its time limit. */
const BATCH_CARDS = 100;
const BATCHES_MAX = 100;

/** A deadline of cards, and what happens to those whose deadline has passed. */
export interface CardSweep {
  /** A number of its own. Only the process that holds this lock sweeps. */
  lock: number;
  /** The column of `ledger_accounts` that has the deadline. */
  column: SQL;
  work: (tx: Tx, integratorId: string, ids: readonly string[]) => Promise<unknown>;
  /** What the log says if it fails. */
  failure: string;
}

interface Due {
  integratorId: string;
  ids: string[];
}

/**
 * Changes the cards whose deadline has passed by now. Leaves cards whose clock is being moved to that move. Any number
 * of processes may call it; only one at a time works.
 */
export async function sweepCards(db: Db, sweep: CardSweep): Promise<void> {
  const failing = new Set<string>();
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const [due] = await readDue(db, sweep, failing);
    if (!due) {
      return;
    }
    const outcome = await change(db, sweep, due);
    if (outcome === "busy") {
      return;
    }
    if (outcome === "failed") {
      failing.add(due.integratorId);
    }
  }
}

/** Reads the first cards that are due by real time, and so by every clock, or by a sandbox's clock that is ahead. */
async function readDue(
  db: Db,
  { column }: CardSweep,
  failing: ReadonlySet<string>,
): Promise<Due[]> {
  const rows = await inTime(() =>
    db.execute<{ integrator_id: string; id: string }>(sql`
      (select integrator_id, id from ledger_accounts
        where ${column} <= statement_timestamp()
          and integrator_id <> all (${sql.param([...failing])}::uuid[])
          and integrator_id <> all (array(
            select id from integrators where clock_since is not null and clock_target_s is not null))
        order by ${column} limit ${BATCH_CARDS})
      union
      (select ended.integrator_id, ended.id from integrators i cross join lateral (
          select integrator_id, id from ledger_accounts
          where integrator_id = i.id and ${column} <= statement_timestamp() + make_interval(secs => i.clock_offset_s)
          order by ${column} limit ${BATCH_CARDS}
        ) ended
        where i.clock_since is not null and i.clock_target_s is null
          and i.id <> all (${sql.param([...failing])}::uuid[])
        limit ${BATCH_CARDS})`),
  );
  const byIntegrator = Map.groupBy(rows, (row) => row.integrator_id);
  return [...byIntegrator].map(([integratorId, of]) => ({
    integratorId,
    ids: of.map(({ id }) => id),
  }));
}

async function change(
  db: Db,
  { lock, work, failure }: CardSweep,
  { integratorId, ids }: Due,
): Promise<"done" | "busy" | "failed"> {
  try {
    return await inTransaction(db, async (tx) => {
      const [row] = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${lock}) as free`,
      );
      if (!row?.free) {
        return "busy";
      }
      await work(tx, integratorId, ids);
      return "done";
    });
  } catch (error) {
    log.error({ err: error, integratorId }, failure);
    return "failed";
  }
}
