import { and, eq, isNull } from "drizzle-orm";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { log } from "#lib/base/log.ts";
import { verifyPassword } from "#lib/staff/passwords.ts";
import { takeCode } from "#lib/staff/second-factor.ts";
import {
  admitAttempt,
  forgetFailures,
  forgiveAttempt,
} from "#lib/staff/internal/sign-in-throttle.ts";
import type { AdmittedAttempt, AttemptSource } from "#lib/staff/internal/sign-in-throttle.ts";
import { tellNewBrowser } from "#lib/staff/internal/security-notices.ts";
import { findStaffByEmail, HOLDERS_MAX } from "#lib/staff/staff-emails.ts";
import { openSession } from "#lib/staff/staff-sessions.ts";
import { NOW } from "#db/schema/columns.ts";
import { staff } from "#db/schema/staff.ts";
import { inTime, inUpkeep } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** A browser with which these people have signed in before. */
export interface KnownBrowser {
  id: string;
  people: readonly string[];
}

/** The credentials typed at sign-in. `code` is a second-factor code or a recovery code. */
export interface SignInAttempt {
  email: string;
  password: string;
  code: string | null;
  request: RequestOrigin;
  browser: KnownBrowser | null;
}

/** The token of a new session, and whose it is. */
export interface SignedIn {
  token: string;
  staffId: string;
}

/**
 * `refused` for every failure alike: unknown, wrong, removed. `throttled` for known and unknown names alike,
 * with the seconds to wait. The code is requested only after the password.
 */
export type SignInOutcome =
  | ({ signedIn: true } & SignedIn)
  | { signedIn: false; reason: "refused" | "code_required" }
  | { signedIn: false; reason: "throttled"; waitS: number };

type Person = typeof staff.$inferSelect;

const REFUSED: SignInOutcome = { signedIn: false, reason: "refused" };

/** A dummy hash with the parameters of real ones, so that an unknown name takes as long as a known one. */
const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$Zm9yIG5vYm9keSBmb3Igbm9ib2R5IGZvciBub2JvZHkhISE";

/**
 * Signs a staff member in and opens a session.
 * @throws DomainError `overloaded` when too many passwords are being checked.
 */
export async function signIn(db: Db, attempt: SignInAttempt): Promise<SignInOutcome> {
  const holders = await inTime(() => findStaffByEmail(db, attempt.email));
  const source = toSource(attempt, holders[0]);
  const admitted = await admitAttempt(db, { email: attempt.email, source });
  if ("waitS" in admitted) {
    return { signedIn: false, reason: "throttled", waitS: admitted.waitS };
  }
  const person = await findByPassword(holders, attempt);
  const outcome = person ? await admit(db, person, { attempt, admitted }) : REFUSED;
  // Record it for the vouched person, so that a stranger who signed up with their email does not learn where
  // they sign in from.
  const refused = person ?? holders[0];
  if (refused && !outcome.signedIn && outcome.reason === "refused") {
    // Not awaited: an answer that takes longer for known names would reveal them.
    void auditRefusal(db, refused, attempt.request);
  }
  return outcome;
}

/**
 * Where an attempt comes from. If two people have the email, only the vouched one counts: otherwise, somebody who
 * signed up with another person's email could make their own browser or network a known one of that person.
 */
function toSource({ browser, request }: SignInAttempt, holder: Person | undefined): AttemptSource {
  return browser && holder && browser.people.includes(holder.id)
    ? { kind: "browser", id: browser.id }
    : { kind: "network", address: request.address, holder };
}

/** Checks the same number of passwords for every email, even if none can match. */
async function findByPassword(
  holders: readonly Person[],
  { password, request }: SignInAttempt,
): Promise<Person | undefined> {
  const asker = toNetwork(request.address);
  for (let index = 0; index < HOLDERS_MAX; index += 1) {
    const person = holders[index];
    const stored = person?.passwordHash ?? DUMMY_HASH;
    const isRight = await verifyPassword(password, { stored, asker });
    if (person?.passwordHash && isRight) {
      return person;
    }
  }
  return undefined;
}

async function admit(
  db: Db,
  person: Person,
  { attempt, admitted }: { attempt: SignInAttempt; admitted: AdmittedAttempt },
): Promise<SignInOutcome> {
  if (person.totpConfirmedAt && !attempt.code) {
    await forgiveAttempt(db, admitted);
    return { signedIn: false, reason: "code_required" };
  }
  const token = await inUpkeep(db, (tx) => admitPerson(tx, person, { attempt, admitted }));
  return token === undefined ? REFUSED : { signedIn: true, token, staffId: person.id };
}

/**
 * Signs in a person an identity provider vouches for. The provider has verified their identity, including any
 * second factor. The operator must vouch for their email too, because anyone may have signed up with it.
 * @returns undefined when no vouched staff member has this email.
 */
export async function signInVouched(
  db: Db,
  email: string,
  entrance: Entrance,
): Promise<SignedIn | undefined> {
  const holders = await inTime(() => findStaffByEmail(db, email));
  const person = holders.find(({ emailVouched }) => emailVouched);
  if (!person) {
    return undefined;
  }
  const token = await inUpkeep(db, (tx) => enter(tx, person, entrance));
  return { token, staffId: person.id };
}

/**
 * Checks the second factor if there is one, and opens the session. Undefined when the code is wrong, or when
 * the person was removed or their password changed during the check.
 */
async function admitPerson(
  tx: Tx,
  checked: Person,
  { attempt, admitted }: { attempt: SignInAttempt; admitted: AdmittedAttempt },
): Promise<string | undefined> {
  // Lock the person, so that a concurrent change that ends their sessions either comes first or ends this one
  // too.
  const [person] = await tx
    .select()
    .from(staff)
    .where(
      and(
        eq(staff.integratorId, checked.integratorId),
        eq(staff.id, checked.id),
        isNull(staff.removedAt),
      ),
    )
    .for("update");
  if (!person || person.passwordHash !== checked.passwordHash) {
    return undefined;
  }
  if (person.totpConfirmedAt && !(await takeCode(tx, person, attempt.code ?? ""))) {
    return undefined;
  }
  await forgetFailures(tx, admitted, person);
  return enter(tx, person, attempt);
}

/** The request and the browser with which a person signs in. */
type Entrance = Pick<SignInAttempt, "request" | "browser">;

async function enter(tx: Tx, person: Person, { request, browser }: Entrance): Promise<string> {
  await tx
    .update(staff)
    .set({ signedInAt: NOW })
    .where(and(eq(staff.integratorId, person.integratorId), eq(staff.id, person.id)));
  await audit(tx, { person, request, action: "staff.signed_in" });
  if (!browser?.people.includes(person.id)) {
    await tellNewBrowser(tx, person, request);
  }
  return openSession(tx, person, request);
}

async function auditRefusal(db: Db, person: Person, request: RequestOrigin): Promise<void> {
  try {
    await inUpkeep(db, (tx) => audit(tx, { person, request, action: "staff.sign_in_refused" }));
  } catch (error) {
    log.error({ err: error }, "Could not record a refused sign-in.");
  }
}

async function audit(
  tx: Tx,
  { person, request, action }: { person: Person; request: RequestOrigin; action: AuditAction },
): Promise<void> {
  await recordAudit(tx, person.integratorId, [
    {
      actor: { type: "staff", id: person.id, name: `${person.firstName} ${person.lastName}` },
      request,
      action,
      targetType: "staff",
      targetId: person.id,
      before: null,
      after: null,
    },
  ]);
}
