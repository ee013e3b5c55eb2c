import type { z } from "zod";
import { admitProcessor } from "#lib/api/edge/internal/admit.ts";
import { bind } from "#lib/api/edge/bind.ts";
import type { Handler } from "#lib/api/edge/bind.ts";
import { readInput, toFingerprints } from "#lib/api/edge/read-input.ts";
import type { Input } from "#lib/api/edge/read-input.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import { AUTHORIZATIONS } from "#lib/api/replay/batched-acts.ts";
import type { Operation } from "#lib/operations/operation.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { alone } from "#lib/api/replay/alone.ts";
import { perform } from "#lib/api/replay/perform.ts";
import { PROCESSOR_SCOPE, processorReferences } from "#lib/api/replay/processor-references.ts";
import type { ProcessorReference } from "#lib/api/replay/processor-references.ts";
import type { AffectedRecord } from "#lib/api/replay/store.ts";
import { findCachedCardOwner } from "#lib/processor/context.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Decision, ProcessorAuthorization } from "#lib/processor/operations.ts";
import { database } from "#db/client.ts";

/** The reply to a card processor operation, and the records it affected. */
type ProcessorReply<AnswerSchema extends z.ZodType> = Reply<AnswerSchema> & {
  affected: AffectedRecord;
};

/** Binds a card processor operation, performed once per reference. */
export function handleProcessor<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  work: (ctx: ProcessorContext, input: Input<Q, B>) => Promise<ProcessorReply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, input, call } = await readCall(context, operation, id);
    return perform(
      database(),
      {
        ...call,
        group: null,
        input: null,
        toOutcome: (reply) => ({
          affected: reply.affected,
          answer: toAnswer(operation, reply),
        }),
      },
      alone(processorReferences, call.key, (tx) =>
        work({ tx, actor, request: call.request }, input),
      ),
    );
  });
}

/** Binds the authorize operation: what to authorize, and how to present the decision. */
export function handleAuthorization<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  toRequest: (
    input: Input<Q, B>,
  ) => Omit<ProcessorAuthorization, "actor" | "request" | "integratorId">,
  toReply: (decision: Decision) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (context, id) => {
    const { actor, input, call } = await readCall(context, operation, id);
    const requested = toRequest(input);
    const integratorId = await findCachedCardOwner(database(), requested.cardId);
    return perform(
      database(),
      {
        ...call,
        // An authorization for a card of no integrator is declined in a transaction of its own.
        group: integratorId ?? null,
        input: { ...requested, actor, request: call.request, integratorId },
        toOutcome: (decision) => ({
          affected: {
            integratorId: decision.integratorId,
            transactionId: decision.transaction?.id ?? null,
          },
          answer: toAnswer(operation, toReply(decision)),
        }),
      },
      AUTHORIZATIONS,
    );
  });
}

/** A validated card processor request, and the reference that makes it run once. */
async function readCall<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(context: RequestContext, operation: Operation<Q, B, A>, id: string) {
  const { actor, apiKeyId } = await admitProcessor(context, operation);
  const input = await readInput(context, operation, id);
  const key: ProcessorReference = {
    scope: PROCESSOR_SCOPE,
    name: input.body.reference,
    ...toFingerprints(context, input.sent),
    operation: operation.id,
    apiKeyId,
  };
  return { actor, input, call: { key, request: context.origin, instance: context.path } };
}
