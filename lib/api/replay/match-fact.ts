import { processorReferences, PROCESSOR_SCOPE } from "#lib/api/replay/processor-references.ts";
import type { ProcessorReference } from "#lib/api/replay/processor-references.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { OPERATOR } from "#lib/base/actor.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";
import { lockUnmatched, postUnmatched } from "#lib/processor/unmatched.ts";
import type { UnmatchedFact } from "#lib/processor/unmatched.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { Tx } from "#db/transaction.ts";

const OPERATIONS = { createCapture, createPosting, createRefund } as const;

/**
 * Records an unmatched fact on a card, as the card network reported it. A repeat by the network then gets that answer.
 * @throws DomainError `card_not_found`, `clock_advancing`, `balance_limit_exceeded`; Error when no such fact waits, or the
 *   network is sending it, or has sent it with success.
 */
export async function matchFact(
  tx: Tx,
  request: RequestOrigin,
  { id, cardId }: { id: string; cardId: string },
): Promise<Effect> {
  const fact = await lockUnmatched(tx, id);
  const key = toKey(fact);
  const claimed = (await processorReferences.claim(tx, [key])).get(key.name);
  if (claimed?.state !== "free") {
    throw new Error(
      claimed?.state === "answered"
        ? `The card network has sent ${key.name} again, and it was recorded. There is nothing to match.`
        : `The card network is sending ${key.name} right now; try again.`,
    );
  }
  const ref = { type: "processor", id: fact.apiKeyId, name: fact.network } as const;
  const actor = { kind: "processor", scopes: new Set(["processor"] as const), ref } as const;
  const ctx = { tx, actor, request };
  const effect = await bookOriginal(ctx, fact, () => postUnmatched(ctx, fact, cardId));
  const { affected, ...reply } = toEffectReply(effect);
  const answer = toAnswer(OPERATIONS[fact.operation], reply);
  await processorReferences.save(tx, [{ key, answer, affected, requestId: request.id }]);
  await recordMatch(tx, request, { fact, effect });
  return effect;
}

function toKey({ reference, fingerprint, operation, apiKeyId }: UnmatchedFact): ProcessorReference {
  return {
    scope: PROCESSOR_SCOPE,
    name: reference,
    fingerprint,
    toEarlierFingerprints: () => [],
    operation,
    apiKeyId,
    authorizationReference: null,
    original: null,
  };
}

async function recordMatch(
  tx: Tx,
  request: RequestOrigin,
  { fact, effect }: { fact: UnmatchedFact; effect: Effect },
): Promise<void> {
  const { integratorId, transaction } = effect;
  await recordAudit(tx, integratorId, [
    {
      actor: OPERATOR,
      request,
      action: "card.fact-matched",
      targetType: "card",
      targetId: transaction.cardId,
      before: null,
      after: { reference: transaction.id, network_reference: fact.reference },
    },
  ]);
}
