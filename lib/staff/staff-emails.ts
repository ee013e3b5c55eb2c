import { and, isNull, sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { staff } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** The person with this email over all integrators: it is how somebody is found of whom nothing else is known yet. */
export async function findStaffByEmail(
  db: Db | Tx,
  email: string,
): Promise<typeof staff.$inferSelect | undefined> {
  if (email.includes("\0")) {
    // PostgreSQL keeps no such text, and would not look for it either.
    return undefined;
  }
  const [person] = await db
    .select()
    .from(staff)
    .where(
      and(sql`lower(${staff.email}) = ${email.trim().toLowerCase()}`, isNull(staff.removedAt)),
    );
  return person;
}

/** The refusal of an email that signs in somebody already. */
export function emailTaken(): DomainError {
  return new DomainError("email_already_registered", "Email or phone number already exists");
}
