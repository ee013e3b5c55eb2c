import { eq, isNull, sql } from "drizzle-orm";
import { NOW } from "#db/schema/columns.ts";
import { installation } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";

const ROW = eq(installation.id, "installation");

/** Since when all changes are stopped, and who stopped them; null if an older release did. */
export interface Stop {
  at: Date;
  by: string | null;
}

/**
 * Stops all changes of the installation, on all servers at once. Reads, webhooks, mail, sign-in, and cleanup continue.
 * Once this has resolved, no earlier change is still in progress. It may be repeated.
 * @param by who stops them, for people, such as "mei@app-1".
 * @returns the stop in effect: the first one, when this is repeated.
 * @throws Error when earlier changes do not end.
 */
export async function beginReadOnly(db: Db, by: string): Promise<Stop> {
  const stop = await inUpkeep(db, async (tx) => {
    markCommit(tx, sql`exists (select from installation where read_only_since is not null)`);
    await tx
      .update(installation)
      .set({ readOnlySince: NOW, readOnlyBy: by })
      .where(isNull(installation.readOnlySince));
    const [kept] = await tx
      .select({ at: installation.readOnlySince, by: installation.readOnlyBy })
      .from(installation)
      .where(ROW);
    return kept?.at ? { at: kept.at, by: kept.by } : null;
  });
  if (!stop) {
    throw new Error("No server has started on this database yet.");
  }
  if (!(await awaitEarlierWriters(db, "installation"))) {
    throw new Error(
      "New changes are refused, but some that began before have not ended yet. Run this again; it waits for them.",
    );
  }
  return stop;
}

/** Says for people since when changes are stopped, and by whom. */
export function describeStop({ at, by }: Stop): string {
  return `All changes have been stopped since ${at.toISOString()}${by === null ? "" : ` by ${by}`}.`;
}

/** Allows changes again. Does nothing when they are allowed. */
export async function endReadOnly(db: Db): Promise<void> {
  await inUpkeep(db, async (tx) => {
    markCommit(tx, sql`exists (select from installation where read_only_since is null)`);
    await tx.update(installation).set({ readOnlySince: null, readOnlyBy: null }).where(ROW);
  });
}
