import { and, eq, isNull } from "drizzle-orm";
import { requireStaff } from "#lib/base/require-scope.ts";
import type { Member } from "#lib/base/actor.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { TOPIC_NAMES } from "#lib/messages/topics.ts";
import type { Topic } from "#lib/messages/topics.ts";
import { revokePasswordLinks } from "#lib/staff/open-links.ts";
import { refuseWeakPassword } from "#lib/staff/password-strength.ts";
import { hashPassword, verifyPassword } from "#lib/staff/passwords.ts";
import { takeCode } from "#lib/staff/second-factor.ts";
import {
  admitAttempt,
  forgetFailures,
  forgiveAttempt,
} from "#lib/staff/internal/sign-in-throttle.ts";
import { toWaitText } from "#lib/base/wait-text.ts";
import type { AdmittedAttempt } from "#lib/staff/internal/sign-in-throttle.ts";
import { tellPasswordChanged } from "#lib/staff/internal/security-notices.ts";
import { auditStaff, lockStaff } from "#lib/staff/staff.ts";
import { confirmSession, endOwnSession, endSessions } from "#lib/staff/staff-sessions.ts";
import { NOW } from "#db/schema/columns.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import { inTime } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** What staff members do with their own login. */

/** A password, and the request's member that holds it. */
interface TypedPassword {
  password: string;
  member: string;
}

/**
 * Checks the signed-in person's password before the transaction that needs it, because hashing is slow. Where a code of
 * the second factor decides as well, the attempt counts as failed until `confirmSelf` has checked the code.
 * @throws DomainError as `admitPassword`.
 */
export async function provePassword(
  db: Db,
  actor: Member,
  typed: TypedPassword,
): Promise<AdmittedAttempt> {
  const { admitted, needsCode } = await admitPassword(db, actor, typed);
  if (!needsCode) {
    await forgiveAttempt(db, admitted);
  }
  return admitted;
}

/**
 * Checks the person's present password and hashes their next one, before the transaction that replaces it.
 * @throws DomainError as `admitPassword`, and `validation_failed` on the next password's member.
 */
export async function prepareOwnPassword(
  db: Db,
  actor: Member,
  { current, next }: Record<"current" | "next", TypedPassword>,
): Promise<{ admitted: AdmittedAttempt; passwordHash: string }> {
  const { admitted } = await admitPassword(db, actor, current);
  await forgiveAttempt(db, admitted);
  await refuseWeakPassword(next.password, await readAbout(db, actor), next.member);
  return { admitted, passwordHash: await hashPassword(next.password, actor.integratorId) };
}

/**
 * Checks the person's password. Wrong passwords delay only further attempts in the same session, until the requested
 * action succeeds. Failed sign-ins do not count here, and wrong passwords here do not delay sign-ins.
 * @returns the attempt, which counts as failed until it is forgiven, and whether the person has a second factor.
 * @throws DomainError `validation_failed` on the named member, `overloaded`.
 */
async function admitPassword(
  db: Db,
  actor: Member,
  { password, member }: TypedPassword,
): Promise<{ admitted: AdmittedAttempt; needsCode: boolean }> {
  const { id, sessionId } = requireStaff(actor);
  const [person] = await inTime(() =>
    db
      .select({
        email: staff.email,
        passwordHash: staff.passwordHash,
        totpConfirmedAt: staff.totpConfirmedAt,
      })
      .from(staff)
      .where(
        and(eq(staff.integratorId, actor.integratorId), eq(staff.id, id), isNull(staff.removedAt)),
      ),
  );
  const asker = actor.integratorId;
  const refuse = (sentence: string) =>
    new DomainError("validation_failed", sentence, { [member]: [sentence] });
  const source = { kind: "session", id: sessionId } as const;
  const admitted = person && (await admitAttempt(db, { email: person.email, source }));
  if (admitted && "waitS" in admitted) {
    throw refuse(`Too many wrong passwords. Wait ${toWaitText(admitted.waitS)}, then try again.`);
  }
  const stored = person?.passwordHash;
  if (!admitted || !stored || !(await verifyPassword(password, { stored, asker }))) {
    throw refuse("Incorrect password.");
  }
  return { admitted, needsCode: person.totpConfirmedAt !== null };
}

/** What others know about the person, and their password must not resemble. */
async function readAbout(db: Db, actor: Member): Promise<string[]> {
  const [known] = await inTime(() =>
    db
      .select({
        firstName: staff.firstName,
        lastName: staff.lastName,
        email: staff.email,
        businessName: integrators.businessName,
      })
      .from(staff)
      .innerJoin(integrators, eq(integrators.id, staff.integratorId))
      .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, requireStaff(actor).id))),
  );
  return Object.values(known ?? {});
}

/**
 * Records that the person has just reauthenticated, which allows the most sensitive operations for five
 * minutes.
 * @throws DomainError `validation_failed` on `code` when they have a second factor.
 */
export async function confirmSelf(
  ctx: WriteContext,
  proof: { admitted: AdmittedAttempt; code: string | null },
): Promise<void> {
  const { id, sessionId } = requireStaff(ctx.actor);
  const person = await lockStaff(ctx, id);
  if (person.totpConfirmedAt && !(await takeCode(ctx.tx, person, proof.code ?? ""))) {
    const sentence = "This code is incorrect or was already used.";
    throw new DomainError("validation_failed", sentence, { code: [sentence] });
  }
  await forgetFailures(ctx.tx, proof.admitted, person);
  await confirmSession(ctx.tx, sessionId);
}

/** Changes the person's own password, and ends their other sessions and password links. */
export async function changePassword(
  ctx: WriteContext,
  proof: { admitted: AdmittedAttempt; passwordHash: string },
): Promise<void> {
  const { id, sessionId } = requireStaff(ctx.actor);
  const person = await lockStaff(ctx, id);
  await ctx.tx
    .update(staff)
    .set({
      passwordHash: proof.passwordHash,
      passwordResetAt: null,
      passwordResetBy: null,
      updatedAt: NOW,
    })
    .where(and(eq(staff.integratorId, person.integratorId), eq(staff.id, id)));
  await forgetFailures(ctx.tx, proof.admitted, person);
  await endSessions(ctx.tx, person, sessionId);
  await revokePasswordLinks(ctx.tx, person);
  await auditStaff(ctx, person, { action: "staff.password_changed", before: null, after: null });
  await tellPasswordChanged(ctx.tx, person, ctx.request);
}

/**
 * Sets the topics about which the person gets no mail.
 * @returns the topics without repetitions, in the order of `TOPIC_NAMES`.
 */
export async function chooseMessages(ctx: WriteContext, muted: readonly Topic[]): Promise<Topic[]> {
  const person = await lockStaff(ctx, requireStaff(ctx.actor).id);
  const mutedTopics = TOPIC_NAMES.filter((topic) => muted.includes(topic));
  await ctx.tx
    .update(staff)
    .set({ mutedTopics, updatedAt: NOW })
    .where(and(eq(staff.integratorId, person.integratorId), eq(staff.id, person.id)));
  await auditStaff(ctx, person, {
    action: "staff.messages_chosen",
    before: { muted: person.mutedTopics },
    after: { muted: mutedTopics },
  });
  return mutedTopics;
}

/** The topics about which the signed-in person gets no mail. */
export async function readMutedTopics({ db, actor }: ReadContext): Promise<Topic[]> {
  const [row] = await db
    .select({ muted: staff.mutedTopics })
    .from(staff)
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, requireStaff(actor).id)));
  return TOPIC_NAMES.filter((topic) => row?.muted.includes(topic));
}

/**
 * Ends one of the person's own sessions, on any device.
 * @throws DomainError `session_not_found`, also for an ended one and for another person's.
 */
export async function revokeOwnSession(ctx: WriteContext, sessionId: string): Promise<void> {
  const person = await lockStaff(ctx, requireStaff(ctx.actor).id);
  const ended = isId(sessionId) ? await endOwnSession(ctx.tx, person, sessionId) : undefined;
  if (!ended) {
    throw notFound("session_not_found");
  }
  await auditStaff(ctx, person, {
    action: "staff.session_revoked",
    before: { session_id: sessionId, ...ended },
    after: null,
  });
}

/** Ends the person's other sessions. */
export async function revokeOtherSessions(ctx: WriteContext): Promise<void> {
  const { id, sessionId } = requireStaff(ctx.actor);
  const person = await lockStaff(ctx, id);
  await endSessions(ctx.tx, person, sessionId);
  await auditStaff(ctx, person, { action: "staff.sessions_revoked", before: null, after: null });
}
