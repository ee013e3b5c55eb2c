import type { Answer } from "#lib/api/wire/answer.ts";
import { refusalOf } from "#lib/api/wire/answer.ts";
import { logUnavailable } from "#lib/api/wire/log-unavailable.ts";
import { hasRoomForBodies, logRequest } from "#lib/api/edge/api-log.ts";
import type { LoggedRequest } from "#lib/api/edge/internal/api-log-rows.ts";
import { keepBodies } from "#lib/api/edge/internal/kept-bodies.ts";
import { toKeptDetail, toKeptPath } from "#lib/api/edge/internal/redact-problem.ts";
import { findIdempotencyKey } from "#lib/api/edge/read-input.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { isId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { requestAnswered } from "#lib/base/signals.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { database } from "#db/client.ts";
import { inTransaction } from "#db/transaction.ts";

const FAULTS_FROM = 500;

/**
 * Records an answered request: in the metrics, in the API log, in the process's log if it could not be served now,
 * and in the audit log if a staff member was refused a change.
 * @param thrown what the request failed with, if anything.
 */
export async function recordRequest(
  context: RequestContext,
  answer: Answer,
  thrown: unknown,
): Promise<void> {
  const durationMs = performance.now() - context.startedAt;
  const refusal = refusalOf(answer);
  requestAnswered.report({
    operation: context.operation?.id ?? null,
    status: answer.status,
    code: refusal.code,
    durationMs: durationMs - context.waitedMs,
  });
  logUnavailable(
    answer,
    {
      requestId: context.origin.id,
      ...context.trace,
      operation: context.operation?.id ?? null,
      path: toKeptPath(context.operation, context.path),
    },
    thrown,
  );
  writeLog(context, answer, { ...refusal, durationMs: Math.round(durationMs) });
  await auditRefusal(context, answer);
}

/** The code and the detail of a refusal as the audit log stores them, where nothing is ever erased. */
function toKept({ operation }: RequestContext, answer: Answer): ReturnType<typeof refusalOf> {
  const { code, detail } = refusalOf(answer);
  if (detail === null) {
    return { code, detail };
  }
  const { errors }: { errors?: unknown } =
    code === "validation_failed" ? JSON.parse(answer.body) : {};
  return { code, detail: toKeptDetail(operation, { code, detail, errors }) };
}

function writeLog(
  context: RequestContext,
  answer: Answer,
  known: Pick<LoggedRequest, "code" | "detail" | "durationMs">,
): void {
  const actor = context.credential?.actor;
  if (!actor || context.operation?.logged === false) {
    return;
  }
  logRequest({
    integratorId: actor.kind === "member" ? actor.integratorId : null,
    actor: actor.ref,
    operation: context.operation?.id ?? null,
    method: context.request.method,
    path: toKeptPath(context.operation, context.path),
    status: answer.status,
    ...known,
    cardId: toCardId(context),
    waitedMs: Math.round(context.waitedMs),
    requestId: context.origin.id,
    address: context.origin.address,
    apiVersion: context.version,
    idempotencyKey: findIdempotencyKey(context.request) ?? null,
    replayed: answer.replayed,
    bodies: keepBodies(context, answer, hasRoomForBodies),
  });
}

function toCardId({ cardId }: RequestContext): string | null {
  return cardId !== null && isId(cardId) ? cardId : null;
}

/**
 * Records a change that a staff member attempted and was refused. It uses a separate transaction,
 * because the attempt's own is rolled back. Server errors are not recorded as attempts.
 */
async function auditRefusal(context: RequestContext, answer: Answer): Promise<void> {
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
          after: toKept(context, answer),
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

/** A request to reauthenticate first is not a refusal. Failing to do so is recorded as `confirmSelf.refused`. */
function isRefusal(code: Answer["code"]): boolean {
  return code !== null && code !== "fresh_sign_in_required";
}

function toTarget(
  context: RequestContext,
  integratorId: string,
): Pick<AuditRow, "targetType" | "targetId"> {
  const cardId = toCardId(context);
  return cardId === null
    ? { targetType: "account", targetId: integratorId }
    : { targetType: "card", targetId: cardId };
}
