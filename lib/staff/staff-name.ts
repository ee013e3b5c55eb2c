import { and, eq } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { staff } from "#db/schema/staff.ts";

/** The name and the email of a member of staff, removed or not; undefined for any other id. */
export async function findStaffName(
  { db, actor }: ReadContext,
  id: string,
): Promise<string | undefined> {
  const [person] = await db
    .select({ firstName: staff.firstName, lastName: staff.lastName, email: staff.email })
    .from(staff)
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, id)));
  return person && `${person.firstName} ${person.lastName}, ${person.email}`;
}
