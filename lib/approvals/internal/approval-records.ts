import { eq } from "drizzle-orm";
import { toApprovalFacts } from "#lib/approvals/approval-resource.ts";
import type { Approval } from "#lib/approvals/approvals.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

type Recorded =
  | "approval.requested"
  | "approval.approved"
  | "approval.rejected"
  | "approval.expired";

/** Records the outcome of an approval, as an event of the account and in the audit log. */
export async function recordOfApproval(
  ctx: WriteContext,
  approval: Approval,
  happened: Recorded,
): Promise<void> {
  const { tx, actor, request } = ctx;
  const data = toApprovalFacts(approval);
  await recordAccountEvents(tx, await lockSource(tx, actor.integratorId), [
    {
      event: happened,
      subject: { type: "account", id: actor.integratorId },
      actor: actor.ref,
      requestId: request.id,
      data,
    },
  ]);
  await auditApproval(ctx, approval, happened);
}

/** Records the outcome in the audit log only. */
export async function auditApproval(
  { tx, actor, request }: WriteContext,
  approval: Approval,
  action: Recorded | "approval.canceled",
): Promise<void> {
  await recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action,
      targetType: "account",
      targetId: actor.integratorId,
      before: null,
      after: toApprovalFacts(approval),
    },
  ]);
}

/** Locks the account: the time of its event must be read after those before it were recorded. */
async function lockSource(tx: Tx, integratorId: string) {
  const [row] = await tx
    .select({ apiVersion: integrators.apiVersion })
    .from(integrators)
    .where(eq(integrators.id, integratorId))
    .for("no key update");
  if (!row) {
    throw new Error(`Integrator ${integratorId} does not exist.`);
  }
  return { integratorId, apiVersion: row.apiVersion };
}
