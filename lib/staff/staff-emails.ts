import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** How many members of staff one email can name: one of a vouched integrator, one of an integrator that signed itself up. */
export const HOLDERS_MAX = 2;

/**
 * Whom this email names over all integrators, whoever is vouched for first: it is how somebody is found of whom nothing
 * else is known yet.
 */
export async function findStaffByEmail(
  db: Db | Tx,
  email: string,
): Promise<(typeof staff.$inferSelect)[]> {
  if (email.includes("\0")) {
    // PostgreSQL keeps no such text, and would not look for it either.
    return [];
  }
  return db
    .select()
    .from(staff)
    .where(and(sql`lower(${staff.email}) = ${email.trim().toLowerCase()}`, isNull(staff.removedAt)))
    .orderBy(desc(staff.emailVouched));
}

/**
 * Makes a member of staff.
 * @throws DomainError `email_already_registered`.
 */
export async function insertStaff(tx: Tx, person: typeof staff.$inferInsert): Promise<void> {
  await refuseTakenEmail(tx, person);
  // Of two who take an email at once, both have seen it free.
  const inserted = await tx
    .insert(staff)
    .values(person)
    .onConflictDoNothing()
    .returning({ id: staff.id });
  if (inserted.length === 0) {
    throw emailTaken();
  }
}

/**
 * Refuses an email that an integrator's new member of staff cannot have. A vouched integrator's may have one that is held
 * only by somebody who signed themselves up; nobody who is not vouched for is given one that is held at all.
 * @throws DomainError `email_already_registered`.
 */
export async function refuseTakenEmail(
  tx: Tx,
  { integratorId, email }: { integratorId: string; email: string },
): Promise<void> {
  const [integrator] = await tx
    .select({ vouched: integrators.vouched })
    .from(integrators)
    .where(eq(integrators.id, integratorId));
  const holders = await findStaffByEmail(tx, email);
  if (holders.some(({ emailVouched }) => emailVouched || !integrator?.vouched)) {
    throw emailTaken();
  }
}

function emailTaken(): DomainError {
  return new DomainError("email_already_registered", "Email or phone number already exists");
}
