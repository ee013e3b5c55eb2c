import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import type { Sent } from "#lib/api/edge/read-input.ts";
import { alone } from "#lib/api/commit/alone.ts";
import { idempotencyKeys } from "#lib/api/commit/idempotency-keys.ts";
import type { IdempotencyKey } from "#lib/api/commit/idempotency-keys.ts";
import { perform } from "#lib/api/commit/perform.ts";
import { approvalAnswer } from "#lib/api/contract/approval.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import type { Held } from "#lib/approvals/held-up.ts";
import { requestApproval } from "#lib/approvals/request-approval.ts";
import type { Member } from "#lib/base/actor.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { Tx } from "#db/transaction.ts";

interface Asked {
  operation: Operation;
  context: RequestContext;
  actor: Member;
  input: { id: string };
  sent: Sent;
  key: IdempotencyKey | null;
}

/**
 * Asks for the approval of a request that somebody else must approve. From then on, the request's key belongs to the
 * approval: repeats get the same answer.
 */
export function askForApproval(asked: Asked, held: Held): Promise<Answer> {
  const { operation, context, actor, input, sent, key } = asked;
  if (operation.approval === null) {
    throw new Error(`${operation.id} was held up, but does not declare that it can be.`);
  }
  const request = context.origin;
  const ask = async (tx: Tx) => {
    const approval = await requestApproval(
      { tx, actor, request, idempotencyKey: key?.name ?? null },
      {
        operation: operation.id,
        targetId: input.id === "" ? null : input.id,
        body: operation.body ? toObject(sent.value) : null,
        held,
      },
    );
    return toAnswer(
      { ...operation, status: 202, answer: approvalAnswer },
      { body: { data: { approval: toApprovalResource(approval) } } },
    );
  };
  return perform(alone(idempotencyKeys, ask), {
    key,
    integratorId: actor.integratorId,
    group: null,
    request,
    instance: context.path,
    input: key,
    toAnswered: (answer) => ({ answer }),
  });
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" ? { ...value } : {};
}
