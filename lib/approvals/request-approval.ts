import { sql } from "drizzle-orm";
import type { Approval } from "#lib/approvals/approvals.ts";
import type { Held } from "#lib/approvals/held-up.ts";
import { recordOfApproval } from "#lib/approvals/internal/approval-records.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { approvals } from "#db/schema/approvals.ts";
import { markCommit } from "#db/transaction.ts";

/** How long an approval waits, in days of real time, even in a sandbox whose clock is ahead. */
export const APPROVAL_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A request that somebody else must approve. */
export interface HeldRequest {
  /** The id of the operation, the record in its path, and its body. */
  operation: string;
  targetId: string | null;
  body: Readonly<Record<string, unknown>> | null;
  held: Held;
}

/** Stores a request until somebody else approves it, and tells those who can. */
export async function requestApproval(
  ctx: WriteContext,
  { operation, targetId, body, held }: HeldRequest,
): Promise<Approval> {
  const { tx, actor, request, idempotencyKey } = ctx;
  const { integratorId } = actor;
  const { at, newId } = await readMoment(tx);
  const id = newId();
  const [only, ...others] = held.cards;
  markCommit(
    tx,
    sql`exists (select from approvals where integrator_id = ${integratorId} and id = ${id})`,
  );
  const [approval] = await tx
    .insert(approvals)
    .values({
      integratorId,
      id,
      operation,
      targetId,
      request: body && { ...body, ...held.fixed },
      cardId: others.length === 0 ? (only ?? null) : null,
      cards: held.cards.length,
      amount: held.amount,
      requesterId: held.requesterId,
      requestedBy: actor.ref,
      idempotencyKey: idempotencyKey ?? null,
      requestId: request.id,
      createdAt: at,
      expiresAt: new Date(at.getTime() + APPROVAL_DAYS * DAY_MS),
    })
    .returning();
  if (!approval) {
    throw new Error("An approval was requested but cannot be read.");
  }
  await recordOfApproval(ctx, approval, "approval.requested");
  return approval;
}
