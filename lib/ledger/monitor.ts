import { and, inArray, isNull, sql } from "drizzle-orm";
import { findDiscrepanciesEverywhere, findDiscrepanciesSince } from "#lib/ledger/verify.ts";
import type { CheckResult, Discrepancy } from "#lib/ledger/verify.ts";
import { log } from "#lib/base/log.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";
import { NOW } from "#db/schema/columns.ts";
import { inLongTransaction } from "#db/long-transactions.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 60_000;
const FULL_PERIOD_HOURS = 24;

/** Advisory lock keys, chosen arbitrarily. The process that holds a lock runs that check. */
export const BOOKS_LOCKS = { recent: 7_203_119, full: 7_203_132 };

/**
 * `recent`: what moved since the last such check. `full`: everything. `daily`: everything, unless a full check has run
 * within a day.
 */
type Extent = "recent" | "full" | "daily";

/**
 * Checks the books: what moved since the last check every minute, and everything once a day. All processes share both
 * schedules, which survive restarts. A discrepancy is logged and suspends fund movements for that integrator only,
 * until a full check finds its books balanced again.
 */
export function startBooksMonitor(db: Db, told: Told): { stop(): void } {
  const run = (extent: Extent) => {
    checkBooks(db, extent, told).catch((error: unknown) => {
      log.error({ err: error, extent }, "The books could not be checked.");
    });
  };
  const timer = setInterval(() => {
    run("recent");
    run("daily");
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Runs one check of the books and applies its result, in one transaction under the lock of its extent. A full check may
 * take hours, so full and recent checks are independent: a check that fails or is killed leaves the other's progress
 * alone, and an older result never clears what a newer one found.
 * @returns the discrepancies, or undefined when no check is due or another check of that extent is running.
 */
export async function checkBooks(
  db: Db,
  extent: Extent,
  { suspended, resumed }: Told = NOBODY,
): Promise<Discrepancy[] | undefined> {
  const checked = await check(db, extent);
  for (const id of checked?.suspended ?? []) {
    await suspended(db, id);
  }
  for (const id of checked?.resumed ?? []) {
    await resumed(db, id);
  }
  return checked?.discrepancies;
}

/** Callbacks for when a check has suspended an integrator's fund movements, and when one has resumed them. */
interface Told {
  suspended: (db: Db, integratorId: string) => Promise<void>;
  resumed: (db: Db, integratorId: string) => Promise<void>;
}

const NOBODY: Told = {
  suspended: () => Promise.resolve(),
  resumed: () => Promise.resolve(),
};

/** What a check found, and the integrators whose state it changed. */
interface Checked {
  discrepancies: Discrepancy[];
  suspended: string[];
  resumed: string[];
}

async function check(db: Db, extent: Extent): Promise<Checked | undefined> {
  const isFull = extent !== "recent";
  return inLongTransaction(db, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, isFull ? BOOKS_LOCKS.full : BOOKS_LOCKS.recent);
    if (!checkpoint || (extent === "daily" && !checkpoint.isFullDue)) {
      return undefined;
    }
    const found = isFull
      ? await findDiscrepanciesEverywhere(tx)
      : await findDiscrepanciesSince(tx, checkpoint.since);
    for (const discrepancy of found.discrepancies) {
      log.error({ discrepancy }, "The books do not balance.");
    }
    const changed = await applyResult(tx, { ...found, isFull });
    return { discrepancies: found.discrepancies, ...changed };
  });
}

/** Where the last recent check ended, and whether a full one is due. Undefined while another process holds the lock. */
async function lockCheckpoint(
  tx: Tx,
  key: number,
): Promise<{ since: string; isFullDue: boolean } | undefined> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${key}) as free`,
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

/** Writes the checkpoint first, so that concurrent checks wait for each other there, not at the integrators' rows. */
async function applyResult(
  tx: Tx,
  found: CheckResult & { isFull: boolean },
): Promise<Pick<Checked, "suspended" | "resumed">> {
  const recent = { xid: found.xid, checkedAt: NOW };
  const full = { fullCheckedAt: NOW };
  await tx
    .insert(booksCheckpoints)
    // The first check ever writes the recent checkpoint even if it is full: it covers what is recent, too.
    .values({ id: 1, ...recent, ...(found.isFull ? full : {}) })
    .onConflictDoUpdate({ target: booksCheckpoints.id, set: found.isFull ? full : recent });
  const unbalanced = [...new Set(found.discrepancies.map(({ integratorId }) => integratorId))];
  const cleared = found.isFull ? await clearOlder(tx) : [];
  const suspended = unbalanced.length > 0 ? await suspendFunds(tx, unbalanced) : [];
  return {
    suspended: suspended.filter((id) => !cleared.includes(id)),
    resumed: cleared.filter((id) => !unbalanced.includes(id)),
  };
}

/** Clears older findings. Those made since this check began stay. */
async function clearOlder(tx: Tx): Promise<string[]> {
  const rows = await tx
    .update(integrators)
    .set({ booksUnbalancedAt: null })
    .where(sql`${integrators.booksUnbalancedAt} < transaction_timestamp()`)
    .returning({ id: integrators.id });
  return rows.map(({ id }) => id);
}

/** @returns the integrators that were not suspended before. */
async function suspendFunds(tx: Tx, ids: string[]): Promise<string[]> {
  const fresh = await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(and(inArray(integrators.id, ids), isNull(integrators.booksUnbalancedAt)));
  await tx.update(integrators).set({ booksUnbalancedAt: NOW }).where(inArray(integrators.id, ids));
  return fresh.map(({ id }) => id);
}
