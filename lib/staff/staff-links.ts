import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { requireSecondPersonForTrust } from "#lib/approvals/second-person.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { passwordLink } from "#lib/messages/kinds/password-link.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";
import { recordMessages, withdrawMessages } from "#lib/messages/record-messages.ts";
import { hashToken, newToken } from "#lib/base/one-time-token.ts";
import { revokePasswordLinks } from "#lib/staff/open-links.ts";
import { toLinkPath } from "#lib/staff/link-path.ts";
import type { LinkKind } from "#lib/staff/link-path.ts";
import { canApprove, canAssign, canResetPassword } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { lockMaker, lockStaff } from "#lib/staff/staff.ts";
import type { StaffRow } from "#lib/staff/staff.ts";
import { findStaffByEmail, refuseOwnEmail } from "#lib/staff/staff-emails.ts";
import { NOW } from "#db/schema/columns.ts";
import { staffLinks } from "#db/schema/staff.ts";

/** How long links are valid. A link is mailed to its recipient, and shown once to its creator, who can pass it on. */
const INVITATION_DAYS = 7;
const RESET_HOURS = 24;
const OWN_RESET_HOURS = 1;

/** An open link, without its token. */
export interface StaffLink {
  id: string;
  kind: LinkKind;
  email: string;
  role: Role | null;
  createdBy: ActorRef;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Invites a person by a one-time link; an earlier invitation for the same email becomes invalid. Only the invited
 * person learns whether the email has a login elsewhere.
 * @throws DomainError `role_insufficient`; `email_already_registered` for somebody on the integrator's own staff.
 * HeldUp if the role may approve and somebody else must approve the invitation.
 */
export async function inviteStaff(
  ctx: WriteContext,
  invitee: { email: string; role: Role },
): Promise<{ link: StaffLink; token: string }> {
  const { maker } = await lockMaker(ctx);
  refuseUnless(canAssign(maker.role, invitee.role));
  const email = invitee.email.trim();
  await refuseOwnEmail(ctx.tx, { integratorId: ctx.actor.integratorId, email });
  if (canApprove(invitee.role)) {
    await requireSecondPersonForTrust(ctx);
  }
  const earlier = await ctx.tx
    .update(staffLinks)
    .set({ revokedAt: NOW })
    .where(
      and(
        eq(staffLinks.integratorId, ctx.actor.integratorId),
        eq(staffLinks.kind, "invitation"),
        sql`lower(${staffLinks.email}) = ${email.toLowerCase()}`,
        isNull(staffLinks.usedAt),
      ),
    )
    .returning({ id: staffLinks.id });
  await withdrawMessages(ctx.tx, ctx.actor.integratorId, earlier);
  const made = await insertLink(ctx, {
    kind: "invitation",
    email,
    role: invitee.role,
    staffId: null,
    hours: INVITATION_DAYS * 24,
  });
  await recordMessages(ctx.tx, ctx.actor.integratorId, {
    kind: staffInvited,
    facts: {
      invitedBy: ctx.actor.ref.name,
      role: invitee.role,
      days: INVITATION_DAYS,
      path: toLinkPath("invitation", made.token),
    },
    aboutId: made.link.id,
    to: [{ staffId: null, email }],
  });
  await audit(ctx, {
    action: "staff.invited",
    targetId: made.link.id,
    after: { email, role: invitee.role },
  });
  return made;
}

/**
 * Creates a one-time link with which a person sets a new password. Their earlier links become invalid. Only an owner
 * can create one for an owner or an admin.
 * @throws DomainError `staff_not_found`, `role_insufficient`. HeldUp if the person may approve and somebody else must
 * approve the link.
 */
export async function makePasswordReset(
  ctx: WriteContext,
  staffId: string,
): Promise<{ link: StaffLink; token: string }> {
  const { maker, people } = await lockMaker(ctx, staffId);
  const person = people.get(staffId);
  if (!person) {
    throw notFound("staff_not_found");
  }
  refuseUnless(canResetPassword(maker.role, person.role));
  if (canApprove(person.role)) {
    await requireSecondPersonForTrust(ctx);
  }
  return replacePasswordLink(ctx, person);
}

function refuseUnless(isAllowed: boolean): void {
  if (!isAllowed) {
    throw new DomainError("role_insufficient", "Only owners can do this.");
  }
}

/**
 * Like `makePasswordReset`, for the operator: the way back in when no owner can sign in anymore.
 * @param person `integrator`: the id of their integrator, needed only when people of two integrators have
 * this email.
 * @throws DomainError `staff_not_found` for an email without a login; `validation_failed` on `integrator`.
 */
export async function rescuePassword(
  { tx, request }: Pick<WriteContext, "tx" | "request">,
  person: { email: string; integrator: string | null },
): Promise<{ link: StaffLink; token: string }> {
  const people = await findStaffByEmail(tx, person.email);
  const [found, another] = people.filter(
    ({ integratorId }) => integratorId === (person.integrator ?? integratorId),
  );
  if (!found) {
    throw notFound("staff_not_found");
  }
  if (another) {
    // Given to the other person, the link would open the wrong account.
    const ids = people.map(({ integratorId }) => integratorId).join(" or ");
    const sentence = `People of two integrators have this email. Specify one: ${ids}.`;
    throw new DomainError("validation_failed", sentence, { integrator: [sentence] });
  }
  const actor = { integratorId: found.integratorId, ref: OPERATOR };
  const ctx = { tx, actor, request };
  return replacePasswordLink(ctx, await lockStaff(ctx, found.id));
}

/**
 * Mails a person a password link that they asked for on the sign-in page. Links that others created for them stay
 * valid: otherwise, anybody who knows the email could invalidate them.
 */
export async function mailOwnPasswordLink(
  { tx, request }: Pick<WriteContext, "tx" | "request">,
  { integratorId, id, email, firstName, lastName }: StaffRow,
): Promise<void> {
  const ref: ActorRef = { type: "staff", id, name: `${firstName} ${lastName}` };
  const ctx = { tx, request, actor: { integratorId, ref } };
  const { token, link } = await insertLink(ctx, {
    kind: "password_reset",
    email,
    role: null,
    staffId: id,
    hours: OWN_RESET_HOURS,
  });
  await recordMessages(tx, integratorId, {
    kind: passwordLink,
    facts: { madeBy: null, hours: OWN_RESET_HOURS, path: toLinkPath("password_reset", token) },
    aboutId: link.id,
    to: [{ staffId: id, email }],
  });
  await audit(ctx, { action: "staff.password_forgotten", targetId: id, after: null });
}

const OPERATOR: ActorRef = { type: "system", id: null, name: "Operator" };

async function replacePasswordLink(
  ctx: WriteContext,
  person: { integratorId: string; id: string; email: string },
): Promise<{ link: StaffLink; token: string }> {
  await revokePasswordLinks(ctx.tx, person);
  const made = await insertLink(ctx, {
    kind: "password_reset",
    email: person.email,
    role: null,
    staffId: person.id,
    hours: RESET_HOURS,
  });
  await recordMessages(ctx.tx, person.integratorId, {
    kind: passwordLink,
    facts: {
      madeBy: ctx.actor.ref.name,
      hours: RESET_HOURS,
      path: toLinkPath("password_reset", made.token),
    },
    aboutId: made.link.id,
    to: [{ staffId: person.id, email: person.email }],
  });
  await audit(ctx, { action: "staff.password_reset_made", targetId: person.id, after: null });
  return made;
}

/** Open invitations, newest first. */
export async function listInvitations(ctx: ReadContext): Promise<StaffLink[]> {
  return ctx.db
    .select(LINK_COLUMNS)
    .from(staffLinks)
    .where(
      and(
        eq(staffLinks.integratorId, ctx.actor.integratorId),
        eq(staffLinks.kind, "invitation"),
        OPEN_LINK,
      ),
    )
    .orderBy(desc(staffLinks.id))
    .limit(200);
}

/** @throws DomainError `link_not_found` for an invitation that is unknown, used, or another integrator's. */
export async function revokeInvitation(ctx: WriteContext, id: string): Promise<StaffLink> {
  const [link] = isId(id)
    ? await ctx.tx
        .update(staffLinks)
        .set({ revokedAt: NOW })
        .where(
          and(
            eq(staffLinks.integratorId, ctx.actor.integratorId),
            eq(staffLinks.id, id),
            eq(staffLinks.kind, "invitation"),
            OPEN_LINK,
          ),
        )
        .returning(LINK_COLUMNS)
    : [];
  if (!link) {
    throw notFound("link_not_found");
  }
  await withdrawMessages(ctx.tx, ctx.actor.integratorId, [link]);
  await audit(ctx, {
    action: "staff.invitation_revoked",
    targetId: link.id,
    after: { email: link.email },
  });
  return link;
}

/** A link that is still valid. */
export const OPEN_LINK = sql`${staffLinks.usedAt} is null and ${staffLinks.revokedAt} is null
  and ${staffLinks.expiresAt} > ${NOW}`;

const LINK_COLUMNS = {
  id: staffLinks.id,
  kind: staffLinks.kind,
  email: staffLinks.email,
  role: staffLinks.role,
  createdBy: staffLinks.createdBy,
  createdAt: staffLinks.createdAt,
  expiresAt: staffLinks.expiresAt,
};

async function insertLink(
  { tx, actor }: WriteContext,
  values: Pick<typeof staffLinks.$inferInsert, "kind" | "email" | "role" | "staffId"> & {
    hours: number;
  },
): Promise<{ link: StaffLink; token: string }> {
  const { hours, ...described } = values;
  const token = newToken();
  const { newId } = await readMoment(tx);
  const [link] = await tx
    .insert(staffLinks)
    .values({
      ...described,
      integratorId: actor.integratorId,
      id: newId(),
      tokenHash: hashToken(token),
      createdBy: actor.ref,
      expiresAt: sql`clock_timestamp() + make_interval(hours => ${hours}::int)`,
    })
    .returning(LINK_COLUMNS);
  if (!link) {
    throw new Error("A link was created but cannot be read.");
  }
  return { link, token };
}

async function audit(
  { tx, actor, request }: WriteContext,
  change: Pick<AuditRow, "action" | "targetId" | "after">,
): Promise<void> {
  await recordAudit(tx, actor.integratorId, [
    { ...change, actor: actor.ref, request, targetType: "staff", before: null },
  ]);
}
