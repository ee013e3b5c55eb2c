import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/views.ts";
import type { Tx } from "#db/transaction.ts";

/** Deletes the views that a removed person kept for themselves. Those that they shared are the account's, and stay. */
export async function deletePrivateViews(
  tx: Tx,
  { integratorId, id }: { integratorId: string; id: string },
): Promise<void> {
  await tx
    .delete(savedViews)
    .where(
      and(
        eq(savedViews.integratorId, integratorId),
        eq(savedViews.staffId, id),
        eq(savedViews.shared, false),
      ),
    );
}
