import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { recordAudit } from "#lib/record/audit.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { hashToken } from "#lib/base/one-time-token.ts";
import { revokePasswordLinks } from "#lib/staff/open-links.ts";
import { canAssign, canResetPassword } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { tellPasswordChanged } from "#lib/staff/internal/security-notices.ts";
import { lockPeople } from "#lib/staff/staff.ts";
import { insertStaff } from "#lib/staff/staff-emails.ts";
import { OPEN_LINK } from "#lib/staff/staff-links.ts";
import type { StaffLink } from "#lib/staff/staff-links.ts";
import { endSessions } from "#lib/staff/staff-sessions.ts";
import { NOW } from "#db/schema/columns.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff, staffLinks } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** What the holder of a one-time link can do with it; the link is the only credential. */

/** What a link shows when it is opened. */
export interface LinkOffer {
  kind: StaffLink["kind"];
  email: string;
  role: Role | null;
  /**
   * The first and last name of the person whose password it resets; empty for an invited person, whose names are
   * unknown.
   */
  names: readonly string[];
  businessName: string;
  expiresAt: Date;
}

/** The integrator and origin of a person who uses a link and is not signed in yet. */
interface Place {
  tx: Tx;
  request: RequestOrigin;
}

/** @throws DomainError `link_not_found` for a token that is unknown, used, revoked, or expired. */
export async function readLink(db: Db, token: string): Promise<LinkOffer> {
  const maker = alias(staff, "maker");
  const subject = alias(staff, "subject");
  const [row] = await db
    .select({ link: staffLinks, businessName: integrators.businessName, maker, subject })
    .from(staffLinks)
    .innerJoin(integrators, eq(integrators.id, staffLinks.integratorId))
    .leftJoin(
      maker,
      and(
        eq(maker.integratorId, staffLinks.integratorId),
        // Cast to uuid: a comparison as text would use no index and read every staff member.
        sql`${maker.id} = case when ${staffLinks.createdBy} ->> 'type' = 'staff'
          then (${staffLinks.createdBy} ->> 'id')::uuid end`,
        isNull(maker.removedAt),
      ),
    )
    .leftJoin(
      subject,
      and(
        eq(subject.integratorId, staffLinks.integratorId),
        eq(subject.id, staffLinks.staffId),
        isNull(subject.removedAt),
      ),
    )
    .where(and(eq(staffLinks.tokenHash, hashToken(token)), OPEN_LINK));
  if (!row || !isBacked(row.link, { maker: row.maker, subject: row.subject })) {
    throw notFound("link_not_found");
  }
  const { kind, email, role, expiresAt } = row.link;
  const names = row.subject ? [row.subject.firstName, row.subject.lastName] : [];
  return { kind, email, role, names, businessName: row.businessName, expiresAt };
}

/**
 * Accepts an invitation and creates the staff member it is for.
 * @param person `passwordHash` is computed before the transaction, because hashing is slow.
 * @throws DomainError `link_not_found`, `email_already_registered`.
 */
export async function acceptInvitation(
  place: Place,
  token: string,
  person: { firstName: string; lastName: string; passwordHash: string },
): Promise<void> {
  const link = await takeLink(place.tx, token, "invitation");
  if (!link.role) {
    throw new Error("An invitation has no role.");
  }
  const id = (await readMoment(place.tx)).newId();
  await insertStaff(place.tx, {
    ...person,
    integratorId: link.integratorId,
    id,
    email: link.email,
    role: link.role,
  });
  await recordAudit(place.tx, link.integratorId, [
    {
      actor: { type: "staff", id, name: `${person.firstName} ${person.lastName}` },
      request: place.request,
      action: "staff.joined",
      targetType: "staff",
      targetId: id,
      before: null,
      after: { email: link.email, role: link.role },
    },
  ]);
}

/**
 * Sets a new password with a link and ends all of that person's sessions.
 * @throws DomainError `link_not_found`.
 */
export async function resetPassword(
  place: Place,
  token: string,
  passwordHash: string,
): Promise<void> {
  const link = await takeLink(place.tx, token, "password_reset");
  if (!link.staffId) {
    throw new Error("A password reset has no person.");
  }
  const [person] = await place.tx
    .update(staff)
    .set({
      passwordHash,
      // A person who asked for the link already knows of the reset.
      ...(isOwnLink(link)
        ? { passwordResetAt: null, passwordResetBy: null }
        : { passwordResetAt: NOW, passwordResetBy: link.createdBy }),
      updatedAt: NOW,
    })
    .where(
      and(
        eq(staff.integratorId, link.integratorId),
        eq(staff.id, link.staffId),
        isNull(staff.removedAt),
      ),
    )
    .returning();
  if (!person) {
    throw notFound("link_not_found");
  }
  await endSessions(place.tx, person);
  await revokePasswordLinks(place.tx, person);
  await recordAudit(place.tx, link.integratorId, [
    {
      actor: { type: "staff", id: person.id, name: `${person.firstName} ${person.lastName}` },
      request: place.request,
      action: "staff.password_reset",
      targetType: "staff",
      targetId: person.id,
      before: null,
      after: null,
    },
  ]);
  await tellPasswordChanged(place.tx, person, place.request);
}

/**
 * Consumes a link; of two concurrent uses, one succeeds. Locks the link's creator and recipient first and checks their
 * current roles: a link is valid only while its creator could still create it.
 */
async function takeLink(tx: Tx, token: string, kind: StaffLink["kind"]) {
  // The integrator is not known yet: only the token leads to it.
  const isRequested = and(
    eq(staffLinks.tokenHash, hashToken(token)),
    eq(staffLinks.kind, kind),
    OPEN_LINK,
  );
  const [found] = await tx.select().from(staffLinks).where(isRequested);
  if (!found) {
    throw notFound("link_not_found");
  }
  const { id: makerId } = found.createdBy;
  const ids = [makerId, found.staffId].filter((id) => id !== null);
  const people = await lockPeople(tx, found.integratorId, ids);
  const backers = { maker: people.get(makerId ?? ""), subject: people.get(found.staffId ?? "") };
  const [link] = isBacked(found, backers)
    ? await tx.update(staffLinks).set({ usedAt: NOW }).where(isRequested).returning()
    : [];
  if (!link) {
    throw notFound("link_not_found");
  }
  return link;
}

/** Whether the link was created by its recipient, who asked for it on the sign-in page. */
function isOwnLink({ createdBy, staffId }: typeof staffLinks.$inferSelect): boolean {
  return staffId !== null && createdBy.id === staffId;
}

/**
 * Whether a link's creator could create it now. The operator always could, and so could people who asked for their own
 * link.
 */
function isBacked(
  link: typeof staffLinks.$inferSelect,
  { maker, subject }: Record<"maker" | "subject", { role: Role } | null | undefined>,
): boolean {
  const { createdBy, role, staffId } = link;
  const given = staffId === null ? role : subject?.role;
  if (!given) {
    return false;
  }
  if (createdBy.type !== "staff" || isOwnLink(link)) {
    return true;
  }
  const canMake = staffId === null ? canAssign : canResetPassword;
  return maker ? canMake(maker.role, given) : false;
}
