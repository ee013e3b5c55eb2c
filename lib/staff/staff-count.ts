import { and, count, eq, inArray, isNull } from "drizzle-orm";
import type { Role } from "#lib/access/roles.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { staff } from "#db/schema/staff.ts";

/** How many people have one of these roles. */
export async function countStaff(
  { tx, actor }: WriteContext,
  roles: readonly Role[],
): Promise<number> {
  const [row] = await tx
    .select({ people: count() })
    .from(staff)
    .where(
      and(
        eq(staff.integratorId, actor.integratorId),
        inArray(staff.role, [...roles]),
        isNull(staff.removedAt),
      ),
    );
  return row?.people ?? 0;
}
