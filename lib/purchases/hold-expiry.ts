import { and, asc, eq, notInArray, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { OPEN_HOLD, transactions } from "#db/schema/cards.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTime, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

const PERIOD_MS = 10_000;
const BATCH_ROWS = 200;
const BATCHES_MAX = 50;

/** An arbitrary number. Only the process that holds this lock releases an expired hold; the others leave it to that one. */
const LOCK = 7_203_120;

const EXPIRY: ActorRef = { type: "system", id: null, name: "Automatic expiry" };

/** Releases expired holds every ten seconds. Any number of processes may run it. */
export function startHoldExpiry(db: Db): { stop(): void } {
  let running = false;
  const timer = setInterval(() => {
    if (running) {
      return;
    }
    running = true;
    expireHolds(db)
      .catch((error: unknown) => {
        log.error({ err: error }, "Expired authorizations could not be released.");
      })
      .finally(() => {
        running = false;
      });
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

interface ExpiredHold {
  integratorId: string;
  id: string;
}

/**
 * Releases every hold that has expired by now, up to ten thousand, each in its own transaction with the same function,
 * lock, and rules as a reversal. A failure is logged and delays only the other holds of its integrator.
 * @returns how many holds this call released.
 */
export async function expireHolds(db: Db): Promise<number> {
  const failing = new Set<string>();
  let expired = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const rows = await readExpired(db, failing);
    for (const row of rows.filter(({ integratorId }) => !failing.has(integratorId))) {
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

/** Oldest first. Holds of integrators with an open discrepancy wait until it is resolved. */
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
          sql`${integrators.booksUnbalancedAt} is null`,
          failing.size > 0 ? notInArray(transactions.integratorId, [...failing]) : undefined,
        ),
      )
      .orderBy(asc(transactions.holdExpiresAt))
      .limit(BATCH_ROWS),
  );
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
    log.error({ err: error, integratorId, id }, "An expired authorization could not be released.");
    return "failed";
  }
}

async function tryLock(tx: Tx): Promise<boolean> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
  );
  return lock?.free ?? false;
}
