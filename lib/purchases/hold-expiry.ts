import { and, asc, eq, notInArray, sql } from "drizzle-orm";
import { EXPIRY } from "#lib/base/actor.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { OPEN_HOLD, transactions } from "#db/schema/transactions.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

const BATCH_ROWS = 200;
const BATCHES_MAX = 50;

/** An arbitrary number. Only the process that has this lock releases expired holds. The others return at once. */
const LOCK = 7_203_120;

interface ExpiredHold {
  integratorId: string;
  id: string;
}

/**
 * Releases every hold that has expired by now: up to ten thousand by real time, then up to ten thousand by the clocks of
 * sandboxes. Each has its own transaction, with the same function, lock, and rules as a reversal. A failure is logged
 * and delays only the other holds of its integrator. Any number of processes may call it.
 * @returns how many holds this call released.
 */
export async function expireHolds(db: Db): Promise<number> {
  return (await expireEach(db, readExpired)) + (await expireEach(db, readExpiredAhead));
}

type Read = (db: Db, failing: ReadonlySet<string>) => Promise<ExpiredHold[]>;

async function expireEach(db: Db, read: Read): Promise<number> {
  const failing = new Set<string>();
  let expired = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const rows = await read(db, failing);
    for (const row of rows) {
      if (failing.has(row.integratorId)) {
        continue;
      }
      const outcome = await expireOne(db, row);
      if (outcome === "busy") {
        return expired;
      }
      if (outcome === "failed") {
        failing.add(row.integratorId);
      } else {
        expired += 1;
      }
    }
    if (rows.length < BATCH_ROWS) {
      break;
    }
  }
  return expired;
}

/**
 * Holds that have expired in real time, and therefore by every integrator's clock, oldest first. Skips integrators with
 * an open discrepancy until it is resolved, and integrators whose clock is being moved: the move releases their holds.
 */
async function readExpired(db: Db, failing: ReadonlySet<string>): Promise<ExpiredHold[]> {
  return inTime(() =>
    db
      .select({ integratorId: transactions.integratorId, id: transactions.id })
      .from(transactions)
      .innerJoin(integrators, eq(integrators.id, transactions.integratorId))
      .where(
        and(
          OPEN_HOLD,
          sql`${transactions.holdExpiresAt} <= statement_timestamp()`,
          sql`${integrators.booksUnbalancedAt} is null and ${integrators.clockTargetS} is null`,
          failing.size > 0 ? notInArray(transactions.integratorId, [...failing]) : undefined,
        ),
      )
      .orderBy(asc(transactions.holdExpiresAt))
      .limit(BATCH_ROWS),
  );
}

/** Holds that have expired by the clock of a sandbox that is ahead of real time. */
async function readExpiredAhead(db: Db, failing: ReadonlySet<string>): Promise<ExpiredHold[]> {
  const rows = await inTime(() =>
    db.execute<{ integrator_id: string; id: string }>(sql`
      select i.id as integrator_id, expired.id
      from integrators i
      cross join lateral (
        select id, hold_expires_at from transactions
        where integrator_id = i.id and ${OPEN_HOLD}
          and hold_expires_at <= statement_timestamp() + make_interval(secs => i.clock_offset_s)
        order by hold_expires_at, id
        limit ${BATCH_ROWS}
      ) expired
      where i.clock_since is not null and i.clock_target_s is null and i.books_unbalanced_at is null
        and i.id <> all (${sql.param([...failing])}::uuid[])
      order by i.id, expired.hold_expires_at, expired.id
      limit ${BATCH_ROWS}`),
  );
  return rows.map((row) => ({ integratorId: row.integrator_id, id: row.id }));
}

async function expireOne(
  db: Db,
  { integratorId, id }: ExpiredHold,
): Promise<"done" | "busy" | "failed"> {
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await tryLock(tx))) {
        return "busy";
      }
      const request = { id: newId(), address: null, agent: null };
      await expireAuthorization({ tx, actor: { integratorId, ref: EXPIRY }, request }, id);
      return "done";
    });
  } catch (error) {
    // A move of the clock has just begun. It releases this hold.
    if (!isDomainError(error) || error.code !== "clock_advancing") {
      log.error(
        { err: error, integratorId, id },
        "An expired authorization could not be released.",
      );
    }
    return "failed";
  }
}

async function tryLock(tx: Tx): Promise<boolean> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
  );
  return lock?.free ?? false;
}
