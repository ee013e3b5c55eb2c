import { inArray, sql } from "drizzle-orm";
import { findMissesEverywhere, findMissesSince } from "#lib/ledger/verify.ts";
import type { Miss } from "#lib/ledger/verify.ts";
import { log } from "#lib/log.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";
import { NOW } from "#db/schema/columns.ts";
import { inSnapshot, inTransaction, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 60_000;
const FULL_PERIOD_MS = 24 * 60 * 60_000;

/** Any number; whichever process holds it is the one that checks. */
const LOCK = 7_203_119;

/**
 * Checks the books every minute what moved since the last look, and in full once a day. A miss is logged and stops the
 * funds of the integrator concerned, and of nobody else, until a full check finds its books balanced again.
 */
export function startBooksMonitor(db: Db): { stop(): void } {
  let lastFull = Date.now();
  const check = async () => {
    const full = Date.now() - lastFull >= FULL_PERIOD_MS;
    const misses = await checkBooks(db, full ? "full" : "recent");
    if (full && misses) {
      lastFull = Date.now();
    }
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      log.error({ err: error }, "The books could not be checked.");
    });
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * One check of the books, and what follows from it.
 * @returns what was found, or undefined while another check is going on: one at a time, however long they take.
 */
export async function checkBooks(db: Db, extent: "recent" | "full"): Promise<Miss[] | undefined> {
  const found = await inSnapshot(db, async (tx) => {
    const since = await claim(tx);
    if (since === undefined) {
      return undefined;
    }
    return extent === "full" ? findMissesEverywhere(tx) : findMissesSince(tx, since);
  });
  if (!found) {
    return undefined;
  }
  await settle(db, { ...found, extent });
  for (const miss of found.misses) {
    log.error({ miss }, "The books do not balance.");
  }
  return found.misses;
}

/** Where the last check ended; undefined when another is going on. */
async function claim(tx: Tx): Promise<string | undefined> {
  const [lock] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as free`,
  );
  if (!lock?.free) {
    return undefined;
  }
  const [row] = await tx.select({ xid: booksCheckpoints.xid }).from(booksCheckpoints);
  return row?.xid ?? "0";
}

async function settle(
  db: Db,
  found: { misses: Miss[]; xid: string; extent: "recent" | "full" },
): Promise<void> {
  const unbalanced = [...new Set(found.misses.map(({ integratorId }) => integratorId))];
  await inTransaction(db, async (tx) => {
    if (found.extent === "full") {
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
    const [checkpoint] = await tx
      .insert(booksCheckpoints)
      .values({ id: 1, xid: found.xid, checkedAt: NOW })
      .onConflictDoUpdate({
        target: booksCheckpoints.id,
        set: { xid: sql`excluded.xid`, checkedAt: NOW },
      })
      .returning({ at: booksCheckpoints.checkedAt });
    markCommit(
      tx,
      sql`exists (select from books_checkpoints where checked_at = ${checkpoint?.at.toISOString()})`,
    );
  });
}
