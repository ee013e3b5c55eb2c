import { and, eq } from "drizzle-orm";
import { savedViews } from "#db/schema/views.ts";
import type { Tx } from "#db/transaction.ts";

/** Deletes a removed person's private views. Views that they shared belong to the account and stay. */
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
