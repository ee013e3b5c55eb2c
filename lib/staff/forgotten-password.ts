import { env } from "#lib/base/env.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { log } from "#lib/base/log.ts";
import { mailOwnPasswordLink } from "#lib/staff/staff-links.ts";
import { findStaffByEmail } from "#lib/staff/staff-emails.ts";
import type { Db } from "#db/client.ts";
import { inTime, inTransaction } from "#db/transaction.ts";

/**
 * Mails a link with which a person chooses a new password. Nobody learns from it whether the email is known: the lookup is
 * the same, and the rest is not awaited. It creates no password for those who sign in only with an identity provider, and
 * leaves the second factor as it is.
 */
export async function mailForgottenPassword(
  db: Db,
  email: string,
  request: RequestOrigin,
): Promise<void> {
  const { environment, mail } = env();
  const people = await inTime(() => findStaffByEmail(db, email));
  if (!mail && environment === "live") {
    return;
  }
  for (const person of people.filter(({ passwordHash }) => passwordHash !== null)) {
    inTransaction(db, (tx) => mailOwnPasswordLink({ tx, request }, person)).catch(
      (error: unknown) => log.error({ err: error }, "Could not create a password link."),
    );
  }
}
