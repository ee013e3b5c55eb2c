import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { requireStaff } from "#lib/base/require-scope.ts";
import type { Member } from "#lib/base/actor.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { canApprove } from "#lib/access/roles.ts";
import { auditApproval, recordOfApproval } from "#lib/approvals/internal/approval-records.ts";
import { toRequester } from "#lib/approvals/internal/requester.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import { NOW } from "#db/schema/columns.ts";
import { approvals } from "#db/schema/approvals.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/** A request that is being approved, and the requester on whose behalf it is performed, with their current rights. */
export interface Approved {
  ctx: WriteContext;
  requester: Member;
  approval: Approval;
}

/**
 * Approves a request and performs it in the same transaction. If performing it is refused, it stays undecided.
 * @param perform performs the request as its requester; throws a DomainError if they may not, or if it is refused.
 * @throws DomainError `approval_not_found`, `approval_decided`, `approval_own`, `scope_missing`,
 * `requester_insufficient`, and the refusals of what it performs.
 */
export async function approve(
  ctx: WriteContext,
  id: string,
  perform: (approved: Approved) => Promise<void>,
): Promise<Approval> {
  const approval = await lockForDecision(ctx, id);
  const requester = await toRequester(ctx.tx, approval);
  await perform({
    approval,
    requester,
    ctx: {
      tx: ctx.tx,
      actor: requester,
      request: ctx.request,
      idempotencyKey: approval.idempotencyKey,
      clearance: { upTo: approval.amount },
    },
  });
  const decided = await decide(ctx, approval, { status: "approved" });
  await recordOfApproval(ctx, decided, "approval.approved");
  return decided;
}

/**
 * Rejects a request: it never takes effect.
 * @throws DomainError as `approve`, except for what performing can refuse.
 */
export async function reject(
  ctx: WriteContext,
  id: string,
  comment: string | null,
): Promise<Approval> {
  const approval = await lockForDecision(ctx, id);
  const decided = await decide(ctx, approval, { status: "rejected", comment });
  await recordOfApproval(ctx, decided, "approval.rejected");
  return decided;
}

/**
 * Cancels a request, for the person or the key that made it.
 * @throws DomainError `approval_not_found`, `approval_decided`; `role_insufficient` if somebody else asked.
 */
export async function cancel(ctx: WriteContext, id: string): Promise<Approval> {
  const approval = await lockWaiting(ctx, id);
  const { staff: person, ref } = ctx.actor;
  const isOwn = person ? person.id === approval.requesterId : ref.id === approval.requestedBy.id;
  if (!isOwn) {
    throw new DomainError(
      "role_insufficient",
      "Only the person who asked for this can cancel it, or the key that did.",
    );
  }
  const [decided] = await ctx.tx
    .update(approvals)
    .set({
      status: "canceled",
      deciderId: approval.requesterId,
      decidedBy: ref,
      decidedAt: NOW,
    })
    .where(and(eq(approvals.integratorId, approval.integratorId), eq(approvals.id, approval.id)))
    .returning();
  const canceled = requireRow(decided);
  await auditApproval(ctx, canceled, "approval.canceled");
  return canceled;
}

async function decide(
  { tx, actor }: WriteContext,
  approval: Approval,
  decision: { status: "approved" | "rejected"; comment?: string | null },
): Promise<Approval> {
  const [decided] = await tx
    .update(approvals)
    .set({ ...decision, deciderId: actor.ref.id, decidedBy: actor.ref, decidedAt: NOW })
    .where(and(eq(approvals.integratorId, approval.integratorId), eq(approvals.id, approval.id)))
    .returning();
  return requireRow(decided);
}

/**
 * Locks a waiting request together with the people and the account that its decision depends on, in the order in which
 * all code locks them. Other decisions and changes of roles therefore come before or after this one.
 */
async function lockForDecision(ctx: WriteContext, id: string): Promise<Approval> {
  const { tx, actor } = ctx;
  const { id: staffId } = requireStaff(actor);
  const approval = await lockWaiting(ctx, id);
  if (approval.requesterId === staffId) {
    throw new DomainError("approval_own", "You asked for this, so somebody else must decide.");
  }
  const people = await lockPeople(tx, approval, staffId);
  const role = people.find((person) => person.id === staffId)?.role;
  if (!role || !canApprove(role)) {
    throw new DomainError("scope_missing", 'This needs the scope "funds:approve".');
  }
  await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId))
    .for("no key update");
  return approval;
}

async function lockWaiting({ tx, actor }: WriteContext, id: string): Promise<Approval> {
  const { integratorId } = actor;
  const [row] = isId(id)
    ? await tx
        .select({ approval: approvals, isLate: sql<boolean>`${approvals.expiresAt} <= ${NOW}` })
        .from(approvals)
        .where(and(eq(approvals.integratorId, integratorId), eq(approvals.id, id)))
        .for("update")
    : [];
  if (!row) {
    throw notFound("approval_not_found");
  }
  const status = row.isLate && row.approval.status === "waiting" ? "expired" : row.approval.status;
  if (status !== "waiting") {
    throw new DomainError("approval_decided", `This request is already ${status}.`);
  }
  return row.approval;
}

/** Locks whoever decides, whoever asked (also by a key), and the person whom the request is about. */
async function lockPeople(
  tx: Tx,
  { integratorId, requestedBy, requesterId, targetId }: Approval,
  staffId: string,
) {
  const ids = [staffId, requesterId, ...(targetId === null ? [] : [targetId])];
  const people = await tx
    .select({ id: staff.id, role: staff.role })
    .from(staff)
    .where(
      and(eq(staff.integratorId, integratorId), inArray(staff.id, ids), isNull(staff.removedAt)),
    )
    .orderBy(staff.id)
    .for("update");
  if (requestedBy.type === "api_key" && requestedBy.id !== null) {
    await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.integratorId, integratorId), eq(apiKeys.id, requestedBy.id)))
      .for("share");
  }
  return people;
}

function requireRow(row: Approval | undefined): Approval {
  if (!row) {
    throw new Error("A locked approval no longer exists.");
  }
  return row;
}
