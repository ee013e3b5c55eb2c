import { and, desc, eq, inArray, lt, ne } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { approvals, IS_WAITING } from "#db/schema/approvals.ts";
import type { APPROVAL_STATES } from "#db/schema/approvals.ts";

/** A request that takes effect when another person approves it. Amounts in minor units. */
export type Approval = typeof approvals.$inferSelect;

export type ApprovalStatus = (typeof APPROVAL_STATES)[number];

/** Which approvals to list. */
export interface ApprovalFilter extends Period {
  statuses?: readonly ApprovalStatus[] | undefined;
  /** The person who asked, or who made the key that asked. */
  requesterId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** The integrator's approvals, newest first. */
export async function listApprovals(
  { db, actor }: ReadContext,
  { statuses, requesterId, limit, cursor: given, ...period }: ApprovalFilter,
): Promise<Page<Approval>> {
  const cursor = requireCursor(given);
  const rows = await db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.integratorId, actor.integratorId),
        isWithin(approvals.id, period),
        statuses && inArray(approvals.status, [...statuses]),
        requesterId === undefined ? undefined : eq(approvals.requesterId, requesterId),
        cursor ? lt(approvals.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ id }) => id);
}

/** The first waiting approvals that this person did not request, newest first. */
export async function listWaitingFor(
  { db, actor }: ReadContext,
  staffId: string,
  limit: number,
): Promise<Approval[]> {
  return db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.integratorId, actor.integratorId),
        IS_WAITING,
        ne(approvals.requesterId, staffId),
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(limit);
}

/** @throws DomainError `approval_not_found`, also for another integrator's approval. */
export async function getApproval({ db, actor }: ReadContext, id: string): Promise<Approval> {
  const [row] = isId(id)
    ? await db
        .select()
        .from(approvals)
        .where(and(eq(approvals.integratorId, actor.integratorId), eq(approvals.id, id)))
    : [];
  if (!row) {
    throw notFound("approval_not_found");
  }
  return row;
}
