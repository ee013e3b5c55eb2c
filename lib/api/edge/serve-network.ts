import type { z } from "zod";
import { admitProcessor } from "#lib/api/edge/internal/admit.ts";
import { toHandler } from "#lib/api/edge/respond.ts";
import type { Handler } from "#lib/api/edge/respond.ts";
import { readInput, toLooseFingerprints } from "#lib/api/edge/read-input.ts";
import type { Input, Sent } from "#lib/api/edge/read-input.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import { AUTHORIZATIONS } from "#lib/api/commit/procedures.ts";
import { toOriginal } from "#lib/processor/messages.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { alone } from "#lib/api/commit/alone.ts";
import { perform } from "#lib/api/commit/perform.ts";
import type { Call } from "#lib/api/commit/perform.ts";
import { PROCESSOR_SCOPE, processorReferences } from "#lib/api/commit/processor-references.ts";
import type { ProcessorReference } from "#lib/api/commit/processor-references.ts";
import type { AffectedRecord } from "#lib/api/commit/store.ts";
import { keepRefused, keepUnmatched } from "#lib/api/commit/keep-unmatched.ts";
import { findCachedCardOwner } from "#lib/processor/context.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { ClearingMessage } from "#lib/processor/unmatched.ts";
import type { Decision, ProcessorAuthorization } from "#lib/processor/operations.ts";
import { database } from "#db/client.ts";
import { CLEARING_OPERATIONS } from "#db/schema/processor.ts";

/**
 * A body with the reference under which the card network repeats a request. It may name an authorization, or another
 * operation, by that one's reference.
 */
type Referenced = z.ZodType<
  {
    reference: string;
    authorization_reference?: string | undefined;
    advice?: boolean | undefined;
  } & Parameters<typeof toOriginal>[0]
>;

/** What to authorize, and how to present the decision. `advise` records what the network approved in our place. */
interface AuthorizeWork<Q extends z.ZodType, B extends Referenced, A extends z.ZodType> {
  toRequest: (
    input: Input<Q, B>,
  ) => Omit<ProcessorAuthorization, "actor" | "request" | "integratorId" | "reference">;
  toReply: (decision: Decision) => Reply<NoInfer<A>>;
  advise: ChangeWork<Q, B, A>["change"];
}

type Changed<A extends z.ZodType> = Reply<NoInfer<A>> & { affected: AffectedRecord };

/** A change in a transaction of its own; its reply names the affected records. */
interface ChangeWork<Q extends z.ZodType, B extends Referenced, A extends z.ZodType> {
  change: (ctx: ProcessorContext, input: Input<Q, B>) => Promise<Changed<A>>;
}

/** Serves an operation of the card network, performed once per reference. An authorization can share its commit. */
export function serveNetwork<Q extends z.ZodType, B extends Referenced, A extends z.ZodType>(
  operation: Operation<Q, B, A>,
  work: AuthorizeWork<Q, B, A> | ChangeWork<Q, B, A>,
): Handler {
  return toHandler(operation, async (context, id) => {
    const { actor, apiKeyId } = await admitProcessor(context, operation);
    const input = await readInput(context, operation, id);
    const request = context.origin;
    const key: ProcessorReference = {
      scope: PROCESSOR_SCOPE,
      name: input.body.reference,
      ...toLooseFingerprints(context, input.sent),
      operation: operation.id,
      apiKeyId,
      authorizationReference: input.body.authorization_reference ?? null,
      original: toOriginal(input.body),
    };
    const call = { key, integratorId: null, request, instance: context.path };
    if ("change" in work || input.body.advice) {
      const change = "change" in work ? work.change : work.advise;
      const run = alone(processorReferences, (tx) => change({ tx, actor, request }, input));
      const changing: Call<ProcessorReference, ProcessorReference, Changed<A>> = {
        ...call,
        group: null,
        input: key,
        toAnswered: (reply) => ({
          affected: reply.affected,
          answer: toAnswer(operation, reply),
        }),
      };
      const clearing = toClearing(key, { requestId: request.id, id, sent: input.sent });
      return clearing
        ? keepRefused(perform(keepUnmatched(run, clearing), changing), clearing)
        : perform(run, changing);
    }
    const requested = work.toRequest(input);
    const integratorId = await findCachedCardOwner(database(), requested.cardId);
    return perform(AUTHORIZATIONS, {
      ...call,
      // An authorization for a card of no integrator is declined in a transaction of its own.
      group: integratorId ?? null,
      input: { ...requested, reference: key.name, actor, request, integratorId },
      toAnswered: (decision) => ({
        affected: {
          integratorId: decision.integratorId,
          transactionId: decision.transaction?.id ?? null,
        },
        answer: toAnswer(operation, work.toReply(decision)),
      }),
    });
  });
}

/** The message as it was sent, if its operation reports a fact: such a message is kept unless it is booked. */
function toClearing(
  { name, fingerprint, apiKeyId, operation: asked }: ProcessorReference,
  { requestId, id, sent }: { requestId: string; id: string; sent: Sent },
): ClearingMessage | null {
  const operation = CLEARING_OPERATIONS.find((each) => each === asked);
  if (!operation || typeof sent.value !== "object") {
    return null;
  }
  const { reference: _, ...body } = { reference: name, ...sent.value };
  const message = { ...body, ...(id === "" ? {} : { id }) };
  return { reference: name, operation, fingerprint, apiKeyId, requestId, message };
}
