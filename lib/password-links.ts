import { and, eq, isNull } from "drizzle-orm";
import { NOW } from "#db/schema/columns.ts";
import { staffLinks } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Lets a person's waiting password links count no more. With another role or a new password they would open more than
 * whoever made them could decide about.
 */
export async function revokePasswordLinks(
  tx: Tx,
  person: { integratorId: string; id: string },
): Promise<void> {
  await tx
    .update(staffLinks)
    .set({ revokedAt: NOW })
    .where(
      and(
        eq(staffLinks.integratorId, person.integratorId),
        eq(staffLinks.staffId, person.id),
        isNull(staffLinks.usedAt),
        isNull(staffLinks.revokedAt),
      ),
    );
}
