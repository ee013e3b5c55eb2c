import { and, eq, isNull } from "drizzle-orm";
import { recordAudit } from "#lib/audit.ts";
import type { RequestOrigin } from "#lib/context.ts";
import { notFound } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { hashToken } from "#lib/one-time-token.ts";
import type { Role } from "#lib/roles.ts";
import { emailTaken } from "#lib/staff-emails.ts";
import { OPEN_LINK } from "#lib/staff-links.ts";
import type { StaffLink } from "#lib/staff-links.ts";
import { endSessions } from "#lib/staff-sessions.ts";
import { NOW } from "#db/schema/columns.ts";
import { integrators } from "#db/schema/integrators.ts";
import { staff, staffLinks } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** What whoever holds a one-time link can do with it: they are let in by it alone. */

/** What a link says to whoever opens it. */
export interface LinkOffer {
  kind: StaffLink["kind"];
  email: string;
  role: Role | null;
  businessName: string;
  expiresAt: Date;
}

/** Where a person is who uses a link: nobody is signed in yet. */
interface Place {
  tx: Tx;
  request: RequestOrigin;
}

/** @throws DomainError `link_not_found` for a token that is unknown, used, revoked or expired. */
export async function readLink(db: Db, token: string): Promise<LinkOffer> {
  const [row] = await db
    .select({ link: staffLinks, businessName: integrators.businessName })
    .from(staffLinks)
    .innerJoin(integrators, eq(integrators.id, staffLinks.integratorId))
    .where(and(eq(staffLinks.tokenHash, hashToken(token)), OPEN_LINK));
  if (!row) {
    throw notFound("link_not_found");
  }
  const { kind, email, role, expiresAt } = row.link;
  return { kind, email, role, businessName: row.businessName, expiresAt };
}

/**
 * Accepts an invitation: makes the member of staff it is for.
 * @param person `passwordHash` is made before the transaction: hashing takes long.
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
  const id = newId();
  const inserted = await place.tx
    .insert(staff)
    .values({ ...person, integratorId: link.integratorId, id, email: link.email, role: link.role })
    .onConflictDoNothing()
    .returning({ id: staff.id });
  if (inserted.length === 0) {
    throw emailTaken();
  }
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
 * Sets a new password by a link and ends every session of that person.
 * @throws DomainError `link_not_found`.
 */
export async function resetPassword(
  place: Place,
  token: string,
  passwordHash: string,
): Promise<void> {
  const link = await takeLink(place.tx, token, "password_reset");
  if (!link.staffId) {
    throw new Error("A password reset is for nobody.");
  }
  const [person] = await place.tx
    .update(staff)
    .set({ passwordHash, updatedAt: NOW })
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
}

/** Uses a link up; of two who try at once, one does. */
async function takeLink(tx: Tx, token: string, kind: StaffLink["kind"]) {
  // No integrator is known yet: the token alone leads to it.
  const [link] = await tx
    .update(staffLinks)
    .set({ usedAt: NOW })
    .where(and(eq(staffLinks.tokenHash, hashToken(token)), eq(staffLinks.kind, kind), OPEN_LINK))
    .returning();
  if (!link) {
    throw notFound("link_not_found");
  }
  return link;
}
