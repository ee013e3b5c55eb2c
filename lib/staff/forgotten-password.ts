import { env } from "#lib/base/env.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { log } from "#lib/base/log.ts";
import { mailOwnPasswordLink } from "#lib/staff/staff-links.ts";
import type { StaffRow } from "#lib/staff/staff.ts";
import { findStaffByEmail } from "#lib/staff/staff-emails.ts";
import type { Db } from "#db/client.ts";
import { inTime, inTransaction } from "#db/transaction.ts";

/** Finds the people who sign in with this email and a password. Others sign in only through an identity provider. */
export async function findForgetful(db: Db, email: string): Promise<StaffRow[]> {
  const people = await inTime(() => findStaffByEmail(db, email));
  return people.filter(({ passwordHash }) => passwordHash !== null);
}

/**
 * Mails each person a link with which they choose a new password; their second factor stays. The caller does not wait
 * for it, so that the response time does not reveal whether an email is known.
 */
export function mailPasswordLinks(
  db: Db,
  people: readonly StaffRow[],
  request: RequestOrigin,
): void {
  const { environment, mail } = env();
  if (!mail && environment === "live") {
    return;
  }
  for (const person of people) {
    inTransaction(db, (tx) => mailOwnPasswordLink({ tx, request }, person)).catch(
      (error: unknown) => log.error({ err: error }, "Could not create a password link."),
    );
  }
}
