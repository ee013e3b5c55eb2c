import { eq, isNull, sql } from "drizzle-orm";
import { NOW } from "#db/schema/columns.ts";
import { installation } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import { awaitEarlierWriters } from "#db/earlier-writers.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";

const ROW = eq(installation.id, "installation");

/**
 * Stops all changes of the installation, on all servers at once. Reads go on, and so do webhooks and mail, sign-in, and what
 * cleans up. Once this has resolved, no change that began before is still under way. It may be repeated.
 * @returns since when changes are stopped.
 * @throws Error when earlier changes do not end.
 */
export async function beginReadOnly(db: Db): Promise<Date> {
  const at = await inUpkeep(db, async (tx) => {
    markCommit(tx, sql`exists (select from installation where read_only_since is not null)`);
    await tx
      .update(installation)
      .set({ readOnlySince: NOW })
      .where(isNull(installation.readOnlySince));
    const [kept] = await tx
      .select({ at: installation.readOnlySince })
      .from(installation)
      .where(ROW);
    return kept?.at ?? null;
  });
  if (!at) {
    throw new Error("No server has started on this database yet.");
  }
  if (!(await awaitEarlierWriters(db, "installation"))) {
    throw new Error(
      "New changes are refused, but some that began before have not ended yet. Run this again; it waits for them.",
    );
  }
  return at;
}

/** Allows changes again. Does nothing when they are allowed. */
export async function endReadOnly(db: Db): Promise<void> {
  await inUpkeep(db, async (tx) => {
    markCommit(tx, sql`exists (select from installation where read_only_since is null)`);
    await tx.update(installation).set({ readOnlySince: null }).where(ROW);
  });
}
