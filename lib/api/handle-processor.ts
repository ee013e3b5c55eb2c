import type { z } from "zod";
import type { Processor } from "#lib/actor.ts";
import { admitProcessor } from "#lib/api/admit.ts";
import { performAuthorization } from "#lib/api/authorization-perform.ts";
import { bind, readInput, toAnswer } from "#lib/api/bind.ts";
import type { Handler, Input, Reply } from "#lib/api/bind.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import type { Exchange } from "#lib/api/exchange.ts";
import { toFingerprint } from "#lib/api/idempotency.ts";
import { performReferenced } from "#lib/api/processor-perform.ts";
import type { ProcessorCall } from "#lib/api/processor-perform.ts";
import type { Concerned, ProcessorContext } from "#lib/processor/context.ts";
import type { Asked, Decision } from "#lib/processor/operations.ts";
import { database } from "#db/client.ts";

/** What an operation of the card processor answers, and whom it concerned. */
interface ProcessorReply<AnswerSchema extends z.ZodType> extends Reply<AnswerSchema> {
  concerned: Concerned;
}

/** Binds an operation of the card processor, performed once for its reference. */
export function handleProcessor<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  work: (ctx: ProcessorContext, input: Input<Q, B>) => Promise<ProcessorReply<NoInfer<A>>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const processor = await admitProcessor(exchange, operation);
    const input = await readInput(exchange, operation, id);
    const call = toProcessorCall(exchange, operation, { ...processor, ...input });
    return performReferenced(database(), call, async (ctx) => {
      const { concerned, ...reply } = await work(ctx, input);
      return { concerned, answer: toAnswer(operation, reply) };
    });
  });
}

/** Binds the operation that asks for an authorisation: what is asked, and how the decision is shown. */
export function handleAuthorization<
  Q extends z.ZodType,
  B extends z.ZodType<{ reference: string }>,
  A extends z.ZodType,
>(
  operation: Operation<Q, B, A>,
  toAsked: (input: Input<Q, B>) => Asked,
  toReply: (decision: Decision) => Reply<NoInfer<A>>,
): Handler {
  return bind(operation, async (exchange, id) => {
    const processor = await admitProcessor(exchange, operation);
    const input = await readInput(exchange, operation, id);
    return performAuthorization(database(), {
      ...toProcessorCall(exchange, operation, { ...processor, ...input }),
      asked: toAsked(input),
      toAnswer: (decision) => toAnswer(operation, toReply(decision)),
    });
  });
}

function toProcessorCall(
  exchange: Exchange,
  operation: Operation,
  given: { actor: Processor; apiKeyId: string; body: { reference: string }; text: string },
): ProcessorCall {
  const { actor, apiKeyId, body, text } = given;
  return {
    actor,
    apiKeyId,
    request: exchange.origin,
    operation: operation.id,
    instance: exchange.path,
    reference: body.reference,
    fingerprint: toFingerprint(exchange.request.method, exchange.path, text),
  };
}
