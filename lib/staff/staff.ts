import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { requireSecondPersonForTrust } from "#lib/approvals/second-person.ts";
import { requireStaff } from "#lib/base/require-scope.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { roleChanged } from "#lib/messages/kinds/role-changed.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { revokeLinksBeyond, revokeLinksOfRemoved } from "#lib/staff/open-links.ts";
import { deletePrivateViews } from "#lib/staff/internal/private-views.ts";
import { listWorkingKeys } from "#lib/access/api-keys.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import { announceCredentialChange } from "#lib/access/credential-changes.ts";
import { canApprove, canAssign } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { countStaff } from "#lib/staff/staff-count.ts";
import { endSessions } from "#lib/staff/staff-sessions.ts";
import { integrators } from "#db/schema/integrators.ts";
import { NOW } from "#db/schema/columns.ts";
import { staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/** A staff member, without credentials. */
export interface StaffMember {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  hasSecondFactor: boolean;
  signedInAt: Date | null;
  createdAt: Date;
}

export type StaffRow = typeof staff.$inferSelect;

const STAFF_MAX = 500;

/** Everyone who may sign in, in the order they joined. */
export async function listStaff(ctx: ReadContext): Promise<StaffMember[]> {
  const rows = await ctx.db
    .select()
    .from(staff)
    .where(and(eq(staff.integratorId, ctx.actor.integratorId), isNull(staff.removedAt)))
    .orderBy(asc(staff.id))
    .limit(STAFF_MAX);
  return rows.map(toMember);
}

/**
 * Changes a person's role. This ends their sessions and revokes their password links and any links they created that
 * the new role could not create. API keys that they created may do what is reserved for owners only while they are one.
 * @throws DomainError `staff_not_found`, `role_insufficient`, `staff_last_owner`. HeldUp if the role may approve and
 * somebody else must approve the change.
 */
export async function changeRole(ctx: WriteContext, id: string, role: Role): Promise<StaffMember> {
  const person = await lockStaff(ctx, id);
  requireAssignable(ctx, person.role, role);
  if (person.role === role) {
    return toMember(person);
  }
  if (canApprove(role) && !canApprove(person.role)) {
    await requireSecondPersonForTrust(ctx);
  }
  await refuseLastOwner(ctx, person);
  const [changed] = await ctx.tx
    .update(staff)
    .set({ role, updatedAt: NOW })
    .where(and(eq(staff.integratorId, person.integratorId), eq(staff.id, id)))
    .returning();
  if (!changed) {
    throw new Error("A locked staff member no longer exists.");
  }
  await endSessions(ctx.tx, person);
  await revokeLinksBeyond(ctx.tx, person, role);
  await announceCredentialChange(ctx.tx, ctx.actor);
  await auditStaff(ctx, person, {
    action: "staff.role_changed",
    before: { role: person.role },
    after: { role },
  });
  await tellStaff(ctx.tx, ctx.actor.integratorId, {
    kind: roleChanged,
    facts: {
      name: `${person.firstName} ${person.lastName}`,
      by: ctx.actor.ref.name,
      from: person.role,
      role,
    },
    personId: id,
  });
  return toMember(changed);
}

/**
 * Removes a person: signs them out immediately, revokes every link with which they could return, deletes their private
 * views, and frees their email. Their actions stay on record. API keys that they created keep working, except for what
 * is reserved for owners.
 * @returns the person, and those of the keys that still work.
 * @throws DomainError `staff_not_found`, `role_insufficient`, `staff_last_owner`.
 */
export async function removeStaff(
  ctx: WriteContext,
  id: string,
): Promise<{ person: StaffMember; keys: ApiKey[] }> {
  const person = await lockStaff(ctx, id);
  requireAssignable(ctx, person.role, person.role);
  await refuseLastOwner(ctx, person);
  await ctx.tx
    .update(staff)
    .set({ removedAt: NOW, updatedAt: NOW })
    .where(and(eq(staff.integratorId, person.integratorId), eq(staff.id, id)));
  await endSessions(ctx.tx, person);
  await revokeLinksOfRemoved(ctx.tx, person);
  await deletePrivateViews(ctx.tx, person);
  await announceCredentialChange(ctx.tx, ctx.actor);
  await auditStaff(ctx, person, {
    action: "staff.removed",
    before: { email: person.email, role: person.role },
    after: null,
  });
  const keys = await listWorkingKeys(toReadContext(ctx), id);
  return { person: toMember(person), keys: keys.map(({ key }) => key) };
}

/**
 * Signs a person out everywhere.
 * @throws DomainError `staff_not_found`, `role_insufficient`.
 */
export async function revokeSessions(ctx: WriteContext, id: string): Promise<StaffMember> {
  const person = await lockStaff(ctx, id);
  requireAssignable(ctx, person.role, person.role);
  await endSessions(ctx.tx, person);
  await auditStaff(ctx, person, { action: "staff.sessions_revoked", before: null, after: null });
  return toMember(person);
}

/**
 * Sets whether the account requires a second factor of all staff. Owners only.
 * @throws DomainError `role_insufficient`.
 */
export async function requireSecondFactor(ctx: WriteContext, required: boolean): Promise<void> {
  if (requireStaff(ctx.actor).role !== "owner") {
    throw new DomainError("role_insufficient", "Only owners can do this.");
  }
  await ctx.tx
    .update(integrators)
    .set({ secondFactorRequired: required, updatedAt: NOW })
    .where(eq(integrators.id, ctx.actor.integratorId));
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      actor: ctx.actor.ref,
      request: ctx.request,
      action: "account.second_factor_required",
      targetType: "account",
      targetId: ctx.actor.integratorId,
      before: null,
      after: { required },
    },
  ]);
}

/** Whether the account requires a second factor of all staff. */
export async function isSecondFactorRequired(ctx: ReadContext): Promise<boolean> {
  const [row] = await ctx.db
    .select({ required: integrators.secondFactorRequired })
    .from(integrators)
    .where(eq(integrators.id, ctx.actor.integratorId));
  return row?.required ?? false;
}

/**
 * The person, locked against concurrent changes to their role, password, and sessions.
 * @throws DomainError `staff_not_found`.
 */
export async function lockStaff({ tx, actor }: WriteContext, id: string): Promise<StaffRow> {
  const row = (await lockPeople(tx, actor.integratorId, [id])).get(id);
  if (!row) {
    throw notFound("staff_not_found");
  }
  return row;
}

/**
 * People of one integrator by their ids, locked in a fixed order to prevent deadlocks. Removed or unknown
 * people are absent.
 */
export async function lockPeople(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StaffRow>> {
  const rows = await tx
    .select()
    .from(staff)
    .where(
      and(
        eq(staff.integratorId, integratorId),
        inArray(staff.id, [...ids]),
        isNull(staff.removedAt),
      ),
    )
    .orderBy(staff.id)
    .for("update");
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks the caller, who is about to make something that depends on their role, such as a link or a view, and the other
 * people it affects. The caller's removal or change of role then comes first and prevents it, or later and clears it.
 * @throws DomainError `role_insufficient` if the caller has been removed.
 */
export async function lockMaker(
  ctx: WriteContext,
  ...others: readonly string[]
): Promise<{ maker: StaffRow; people: ReadonlyMap<string, StaffRow> }> {
  const { id } = requireStaff(ctx.actor);
  const known = others.filter(isId);
  const people = await lockPeople(ctx.tx, ctx.actor.integratorId, [id, ...known]);
  const maker = people.get(id);
  if (!maker) {
    throw new DomainError("role_insufficient", "You are no longer a staff member of this account.");
  }
  return { maker, people };
}

function requireAssignable(ctx: WriteContext, from: Role, to: Role): void {
  const by = requireStaff(ctx.actor).role;
  if (!canAssign(by, from) || !canAssign(by, to)) {
    throw new DomainError("role_insufficient", "Only owners can do this.");
  }
}

/** Locks the account's row first, so that one owner stays when two remove each other at once. */
async function refuseLastOwner(ctx: WriteContext, person: StaffRow): Promise<void> {
  if (person.role !== "owner") {
    return;
  }
  const { tx, actor } = ctx;
  await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId))
    .for("no key update");
  if ((await countStaff(ctx, ["owner"])) <= 1) {
    throw new DomainError(
      "staff_last_owner",
      "This is the only owner. Make someone else an owner first.",
    );
  }
}

/** Records a change to a staff member. */
export async function auditStaff(
  ctx: WriteContext,
  person: StaffRow,
  change: {
    action: AuditAction;
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
  },
): Promise<void> {
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      ...change,
      actor: ctx.actor.ref,
      request: ctx.request,
      targetType: "staff",
      targetId: person.id,
    },
  ]);
}

function toMember(row: StaffRow): StaffMember {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    role: row.role,
    hasSecondFactor: row.totpConfirmedAt !== null,
    signedInAt: row.signedInAt,
    createdAt: row.createdAt,
  };
}
