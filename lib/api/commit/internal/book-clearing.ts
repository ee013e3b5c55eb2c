import type { z } from "zod";
import { processorReferences, PROCESSOR_SCOPE } from "#lib/api/commit/processor-references.ts";
import type { ProcessorReference } from "#lib/api/commit/processor-references.ts";
import type { Answered } from "#lib/api/commit/perform.ts";
import type { AffectedRecord } from "#lib/api/commit/store.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import type { Reply } from "#lib/api/wire/answer.ts";
import { toAdviceReply, toEffectReply } from "#lib/api/wire/processor-reply.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { createAuthorization } from "#lib/operations/processor/create-authorization.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";
import { forgetUnmatched } from "#lib/processor/unmatched.ts";
import type { ClearingOperation, UnmatchedClearing } from "#lib/processor/unmatched.ts";
import type { Tx } from "#db/transaction.ts";

/** The operations whose messages can be booked later, and how they are answered then. */
const REPLIES: Readonly<
  Partial<Record<ClearingOperation, (effect: Effect) => Required<Answered>>>
> = {
  createAuthorization: (effect) => toAnswered(createAuthorization, toAdviceReply(effect)),
  createCapture: (effect) => toAnswered(createCapture, toEffectReply(effect)),
  createPosting: (effect) => toAnswered(createPosting, toEffectReply(effect)),
  createRefund: (effect) => toAnswered(createRefund, toEffectReply(effect)),
};

function toAnswered<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  { affected, ...reply }: Reply<NoInfer<A>> & { affected: AffectedRecord },
): Required<Answered> {
  return { affected, answer: toAnswer(operation, reply) };
}

/**
 * Books a kept message in the caller's transaction, as the card network sent it: under its key and its reference, so
 * that a repeat gets that answer. The message is then no longer kept.
 * @returns undefined without booking anything, if the network is sending the message again right now or has done so
 * successfully.
 * @throws what `book` throws.
 */
export async function bookClearing(
  tx: Tx,
  request: RequestOrigin,
  {
    clearing,
    book,
  }: { clearing: UnmatchedClearing; book: (ctx: ProcessorContext) => Promise<Effect> },
): Promise<Effect | undefined> {
  const reply = REPLIES[clearing.operation];
  if (!reply) {
    throw new Error(`A message of ${clearing.operation} is never booked later.`);
  }
  const key = toKey(clearing);
  const claimed = (await processorReferences.claim(tx, [key])).get(key.name);
  if (claimed?.state !== "free") {
    return undefined;
  }
  const ref = { type: "processor", id: clearing.apiKeyId, name: clearing.network } as const;
  const actor = { kind: "processor", scopes: new Set(["processor"] as const), ref } as const;
  const ctx = { tx, actor, request };
  const effect = await bookOriginal(ctx, clearing, () => book(ctx));
  await processorReferences.save(tx, [{ key, ...reply(effect), requestId: request.id }]);
  await forgetUnmatched(tx, clearing);
  return effect;
}

function toKey(clearing: UnmatchedClearing): ProcessorReference {
  const { reference, fingerprint, operation, apiKeyId, authorizationReference } = clearing;
  return {
    scope: PROCESSOR_SCOPE,
    name: reference,
    fingerprint,
    toEarlierFingerprints: () => [],
    operation,
    apiKeyId,
    authorizationReference,
    original: null,
  };
}
