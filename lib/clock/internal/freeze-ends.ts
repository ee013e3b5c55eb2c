import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import { lockCards } from "#lib/cards/card-lock.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** How many freezes of an integrator one transaction lifts, in a fraction of the time that a transaction has. */
const BATCH_CARDS = 100;
const BATCHES_MAX = 100;

/** An arbitrary number. Only the process that holds this lock lifts what has ended; the others leave it to that one. */
const LOCK = 7_203_131;

interface Due {
  integratorId: string;
  ids: string[];
}

/**
 * Lifts the freezes that have ended by now and whose cards nobody has locked since. Those of a clock that is being moved
 * are left to that move. Any number of processes may call it; one at a time lifts.
 */
export async function endFreezes(db: Db): Promise<void> {
  const failing = new Set<string>();
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const [due] = await readDue(db, failing);
    if (!due) {
      return;
    }
    const outcome = await endThose(db, due);
    if (outcome === "busy") {
      return;
    }
    if (outcome === "failed") {
      failing.add(due.integratorId);
    }
  }
}

/** The first that are due by real time, and so by every clock; and by the clock of a sandbox that is ahead. */
async function readDue(db: Db, failing: ReadonlySet<string>): Promise<Due[]> {
  const rows = await inTime(() =>
    db.execute<{ integrator_id: string; id: string }>(sql`
      (select integrator_id, id from ledger_accounts
        where freeze_due_at <= statement_timestamp()
          and integrator_id <> all (${sql.param([...failing])}::uuid[])
          and integrator_id <> all (array(
            select id from integrators where clock_since is not null and clock_target_s is not null))
        order by freeze_due_at limit ${BATCH_CARDS})
      union
      (select ended.integrator_id, ended.id from integrators i cross join lateral (
          select integrator_id, id from ledger_accounts
          where integrator_id = i.id and freeze_due_at <= statement_timestamp() + make_interval(secs => i.clock_offset_s)
          order by freeze_due_at limit ${BATCH_CARDS}
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

async function endThose(db: Db, { integratorId, ids }: Due): Promise<"done" | "busy" | "failed"> {
  try {
    return await inTransaction(db, async (tx) => {
      const [lock] = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
      );
      if (!lock?.free) {
        return "busy";
      }
      // The lock of a card lifts what has ended on it.
      await lockCards(tx, integratorId, ids);
      return "done";
    });
  } catch (error) {
    log.error({ err: error, integratorId }, "Freezes that have ended could not be lifted.");
    return "failed";
  }
}
