import type { Answer } from "#lib/api/wire/answer.ts";
import type { RequestContext } from "#lib/api/edge/request-context.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { isId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { database } from "#db/client.ts";
import { inTransaction } from "#db/transaction.ts";

const FAULTS_FROM = 500;

/**
 * Records a change that a staff member attempted and was refused. It uses a separate transaction,
 * because the attempt's own is rolled back. Server errors are not recorded as attempts.
 */
export async function auditRefusal(context: RequestContext, answer: Answer): Promise<void> {
  const actor = context.credential?.actor;
  if (actor?.kind !== "member" || !actor.staff || !isRefusedChange(context, answer)) {
    return;
  }
  const { operation, origin } = context;
  try {
    await inTransaction(database(), (tx) =>
      recordAudit(tx, actor.integratorId, [
        {
          actor: actor.ref,
          request: origin,
          action: `${operation?.id}.refused`,
          ...toTarget(context, actor.integratorId),
          before: null,
          after: { code: answer.code, detail: answer.detail },
        },
      ]),
    );
  } catch (error) {
    log.error({ err: error, requestId: origin.id }, "Could not record a refused attempt.");
  }
}

function isRefusedChange({ operation }: RequestContext, answer: Answer): boolean {
  const isChange = operation?.kind === "write" || operation?.kind === "funds";
  return isChange && isRefusal(answer.code) && !answer.replayed && answer.status < FAULTS_FROM;
}

/** A request to reauthenticate first refuses nothing. Whoever then fails to is recorded as `confirmSelf.refused`. */
function isRefusal(code: Answer["code"]): boolean {
  return code !== null && code !== "fresh_sign_in_required";
}

function toTarget(
  { cardId }: RequestContext,
  integratorId: string,
): Pick<AuditRow, "targetType" | "targetId"> {
  return cardId !== null && isId(cardId)
    ? { targetType: "card", targetId: cardId }
    : { targetType: "account", targetId: integratorId };
}
