import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * How many staff members one email can identify: one of a vouched integrator, and one of an integrator that
 * signed itself up.
 */
export const HOLDERS_MAX = 2;

/**
 * Finds people by email across all integrators, for use before the integrator is known. The vouched person
 * comes first.
 */
export async function findStaffByEmail(
  db: Db | Tx,
  email: string,
): Promise<(typeof staff.$inferSelect)[]> {
  if (email.includes("\0")) {
    // PostgreSQL cannot store such text, and rejects it in a query too.
    return [];
  }
  return db
    .select()
    .from(staff)
    .where(and(sql`lower(${staff.email}) = ${email.trim().toLowerCase()}`, isNull(staff.removedAt)))
    .orderBy(desc(staff.emailVouched));
}

/**
 * Creates a staff member.
 * @throws DomainError `email_already_registered`.
 */
export async function insertStaff(tx: Tx, person: typeof staff.$inferInsert): Promise<void> {
  await refuseTakenEmail(tx, person);
  // Two concurrent transactions can both see the email as free, so the unique index decides.
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
 * Refuses an email of somebody who is already on the staff of this integrator.
 * @throws DomainError `email_already_registered`.
 */
export async function refuseOwnEmail(
  tx: Tx,
  { integratorId, email }: { integratorId: string; email: string },
): Promise<void> {
  const holders = await findStaffByEmail(tx, email);
  if (holders.some((holder) => holder.integratorId === integratorId)) {
    throw emailTaken();
  }
}

/**
 * Refuses an email that a new staff member of an integrator cannot have. A vouched integrator's staff may
 * have an email that only self-registered people hold; anyone else needs an email that no one holds.
 * @throws DomainError `email_already_registered`.
 */
async function refuseTakenEmail(
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
