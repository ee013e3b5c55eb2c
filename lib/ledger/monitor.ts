import { inArray, sql } from "drizzle-orm";
import { findDiscrepanciesEverywhere, findDiscrepanciesSince } from "#lib/ledger/verify.ts";
import type { Found, Discrepancy } from "#lib/ledger/verify.ts";
import { log } from "#lib/base/log.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";
import { NOW } from "#db/schema/columns.ts";
import { inWritingSnapshot } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 60_000;
const FULL_PERIOD_HOURS = 24;

/** Any number; whichever process holds it is the one that checks. */
const LOCK = 7_203_119;

/** What moved since the last check, everything, or whichever of the two is due. */
type Extent = "recent" | "full" | "due";

/**
 * Checks the books every minute what moved since the last look, and in full once a day, over all processes and their
 * restarts. A discrepancy is logged and stops the funds of the integrator concerned, and of nobody else, until a full check finds
 * its books balanced again.
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
 * One check of the books, and what follows from it, in one transaction under one lock: no check begins before the one
 * before it is settled, so an older result never clears what a newer one has found.
 * @returns what was found, or undefined while another check is going on: one at a time, however long they take.
 */
export async function checkBooks(db: Db, extent: Extent): Promise<Discrepancy[] | undefined> {
  return inWritingSnapshot(db, async (tx) => {
    const claimed = await claim(tx);
    if (!claimed) {
      return undefined;
    }
    const isFull = extent === "full" || (extent === "due" && claimed.isFullDue);
    const found = isFull
      ? await findDiscrepanciesEverywhere(tx)
      : await findDiscrepanciesSince(tx, claimed.since);
    for (const discrepancy of found.discrepancies) {
      log.error({ discrepancy }, "The books do not balance.");
    }
    await settle(tx, { ...found, isFull });
    return found.discrepancies;
  });
}

/** Where the last check ended, and whether one in full is due; undefined when another is going on. */
async function claim(tx: Tx): Promise<{ since: string; isFullDue: boolean } | undefined> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
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

async function settle(tx: Tx, found: Found & { isFull: boolean }): Promise<void> {
  const unbalanced = [...new Set(found.discrepancies.map(({ integratorId }) => integratorId))];
  if (found.isFull) {
    await tx
      .update(integrators)
      .set({ booksUnbalancedAt: null })
      .where(sql`${integrators.booksUnbalancedAt} is not null`);
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
