import { inArray, sql } from "drizzle-orm";
import { findDiscrepanciesEverywhere, findDiscrepanciesSince } from "#lib/ledger/verify.ts";
import type { CheckResult, Discrepancy } from "#lib/ledger/verify.ts";
import { log } from "#lib/base/log.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";
import { NOW } from "#db/schema/columns.ts";
import { inLongTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 60_000;
const FULL_PERIOD_HOURS = 24;

/** An arbitrary number. The process that holds this lock runs the check. */
export const BOOKS_LOCK = 7_203_119;

/** What moved since the last check, everything, or whichever of the two is due. */
type Extent = "recent" | "full" | "due";

/**
 * Checks the books: every minute what moved since the last check, and once a day in full. Both schedules span all processes
 * and their restarts. A discrepancy is logged and suspends fund movements for that integrator only, until a full check
 * finds its books balanced again.
 */
export function startBooksMonitor(db: Db): { stop(): void } {
  const timer = setInterval(() => {
    checkBooks(db, "due").catch((error: unknown) => {
      log.error({ err: error }, "The books could not be checked.");
    });
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Runs one check of the books and applies its result, in one transaction under one lock. No check starts before the
 * previous one has finished, so an older result never clears what a newer one found.
 * @returns the discrepancies, or undefined while another check is running: one at a time, however long it takes.
 */
export async function checkBooks(db: Db, extent: Extent): Promise<Discrepancy[] | undefined> {
  return inLongTransaction(db, async (tx) => {
    const checkpoint = await lockCheckpoint(tx);
    if (!checkpoint) {
      return undefined;
    }
    const isFull = extent === "full" || (extent === "due" && checkpoint.isFullDue);
    const found = isFull
      ? await findDiscrepanciesEverywhere(tx)
      : await findDiscrepanciesSince(tx, checkpoint.since);
    for (const discrepancy of found.discrepancies) {
      log.error({ discrepancy }, "The books do not balance.");
    }
    await applyResult(tx, { ...found, isFull });
    return found.discrepancies;
  });
}

/** Where the last check ended, and whether a full check is due. Undefined while another check is running. */
async function lockCheckpoint(tx: Tx): Promise<{ since: string; isFullDue: boolean } | undefined> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${BOOKS_LOCK}) as free`,
  );
  if (!lock?.free) {
    return undefined;
  }
  const [row] = await tx
    .select({
      since: booksCheckpoints.xid,
      isFullDue: sql<boolean>`coalesce(${booksCheckpoints.fullCheckedAt}
        < ${NOW} - make_interval(hours => ${FULL_PERIOD_HOURS}), true)`,
    })
    .from(booksCheckpoints);
  return row ?? { since: "0", isFullDue: true };
}

async function applyResult(tx: Tx, found: CheckResult & { isFull: boolean }): Promise<void> {
  const unbalanced = [...new Set(found.discrepancies.map(({ integratorId }) => integratorId))];
  if (found.isFull) {
    await tx
      .update(integrators)
      .set({ booksUnbalancedAt: null })
      // What was found since this check began stays.
      .where(sql`${integrators.booksUnbalancedAt} < transaction_timestamp()`);
  }
  if (unbalanced.length > 0) {
    await tx
      .update(integrators)
      .set({ booksUnbalancedAt: NOW })
      .where(inArray(integrators.id, unbalanced));
  }
  const checked = {
    xid: found.xid,
    checkedAt: NOW,
    ...(found.isFull ? { fullCheckedAt: NOW } : {}),
  };
  await tx
    .insert(booksCheckpoints)
    .values({ id: 1, ...checked })
    .onConflictDoUpdate({ target: booksCheckpoints.id, set: checked });
}
