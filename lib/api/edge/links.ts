import type { acceptInvitation as Acceptance } from "#lib/operations/staff/accept-invitation.ts";
import type { forgotPassword as Forgotten } from "#lib/operations/staff/forgot-password.ts";
import type { readLink as Reading } from "#lib/operations/staff/read-link.ts";
import type { resetPassword as Reset } from "#lib/operations/staff/reset-password.ts";
import { limitForgotten, limitLinks } from "#lib/api/edge/limits.ts";
import type { BodyOf } from "#lib/api/edge/read-input.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { refuseWeakPassword } from "#lib/staff/password-strength.ts";
import { findForgetful, mailPasswordLinks } from "#lib/staff/forgotten-password.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { acceptInvitation, readLink, resetPassword } from "#lib/staff/staff-link-use.ts";
import { database } from "#db/client.ts";
import { requireWritable } from "#db/read-only.ts";
import { inTime, inTransaction } from "#db/transaction.ts";

/**
 * Operations on one-time links. The link itself is the credential, so the caller is not known yet.
 */

export async function showLink(
  { address }: RequestOrigin,
  { token }: BodyOf<typeof Reading>,
): Promise<Reply<(typeof Reading)["answer"]>> {
  limitLinks(address);
  const offer = await inTime(() => readLink(database(), token));
  return {
    body: {
      kind: offer.kind,
      email: offer.email,
      role: offer.role,
      business_name: offer.businessName,
      expires_at: offer.expiresAt.toISOString(),
    },
  };
}

export async function accept(
  origin: RequestOrigin,
  body: BodyOf<typeof Acceptance>,
): Promise<Reply<(typeof Acceptance)["answer"]>> {
  limitLinks(origin.address);
  const { email, businessName } = await inTime(() => readLink(database(), body.token));
  const about = [body.first_name, body.last_name, email, businessName];
  await refuseWeakPassword(body.password, about, "password");
  const passwordHash = await hashPassword(body.password, toNetwork(origin.address));
  const person = { firstName: body.first_name, lastName: body.last_name, passwordHash };
  await inTransaction(database(), (tx) =>
    acceptInvitation({ tx, request: origin }, body.token, person),
  );
  return { body: { email } };
}

export async function setPassword(
  origin: RequestOrigin,
  body: BodyOf<typeof Reset>,
): Promise<Reply<(typeof Reset)["answer"]>> {
  limitLinks(origin.address);
  const { email, names, businessName } = await inTime(() => readLink(database(), body.token));
  await refuseWeakPassword(body.password, [...names, email, businessName], "password");
  const passwordHash = await hashPassword(body.password, toNetwork(origin.address));
  await inTransaction(database(), (tx) =>
    resetPassword({ tx, request: origin }, body.token, passwordHash),
  );
  return { body: { email } };
}

export async function forgetPassword(
  origin: RequestOrigin,
  { email }: BodyOf<typeof Forgotten>,
): Promise<Reply<(typeof Forgotten)["answer"]>> {
  limitLinks(origin.address);
  // Checked here, because no caller waits for the transaction that records the link.
  await inTime(() => requireWritable(database()));
  const people = await findForgetful(database(), email);
  if (limitForgotten(email)) {
    mailPasswordLinks(database(), people, origin);
  }
  return { body: { message: "Ok" } };
}
