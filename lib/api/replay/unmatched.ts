import { processorReferences, PROCESSOR_SCOPE } from "#lib/api/replay/processor-references.ts";
import type { ProcessorReference } from "#lib/api/replay/processor-references.ts";
import type { Procedure } from "#lib/api/replay/perform.ts";
import { toAnswer } from "#lib/api/wire/answer.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { keepFact, lockUnmatched, postUnmatched } from "#lib/processor/unmatched.ts";
import type { Fact, UnmatchedFact, UnmatchedReason } from "#lib/processor/unmatched.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { FACT_OPERATIONS } from "#db/schema/processor.ts";
import { DatabaseFailure, isRetryable, isUnavailable } from "#db/failures.ts";
import type { Tx } from "#db/transaction.ts";

/** What the network reported and the books cannot take is kept under its reference, and once it is matched, that has its answer. */

const OPERATIONS = { createCapture, createPosting, createRefund } as const;

type FactOperation = (typeof FACT_OPERATIONS)[number];
type Run<Done> = Procedure<ProcessorReference, ProcessorReference | null, Done>;

/** The same procedure, but what it cannot record is kept for the operator, in the same transaction. */
export function keepingUnmatched<Done>(
  run: Run<Done>,
  { fact, requestId }: { fact: Fact; requestId: string },
): Run<Done> {
  return {
    ...run,
    decide: async (tx, keys) => {
      try {
        return await run.decide(tx, keys);
      } catch (error) {
        const [key] = keys;
        const operation = FACT_OPERATIONS.find((each) => each === key?.operation);
        const reason = operation ? toReason(operation, error) : null;
        if (!key || !operation || reason === null) {
          throw error;
        }
        const { name: reference, fingerprint, apiKeyId } = key;
        const request = { reference, operation, fingerprint, apiKeyId, requestId };
        if (!(await keepFact(tx, request, { ...fact, reason }))) {
          throw processorReferences.reused();
        }
        return { results: [{ refusal: toUnmatched(reason) }], write: async () => undefined };
      }
    },
  };
}

/** What may be unknown in each operation. Authorization ids are ours, so a capture that names an unknown one is a mistake. */
const UNKNOWN: Readonly<Record<FactOperation, readonly UnmatchedReason[]>> = {
  createCapture: [],
  createPosting: ["authorization_not_found", "card_not_found"],
  createRefund: ["card_not_found", "transaction_not_found"],
};

/** Why the books could not take a fact; null for a failure that a repeat may overcome, and for a refusal of another kind. */
function toReason(operation: FactOperation, error: unknown): UnmatchedReason | null {
  if (isDomainError(error)) {
    return UNKNOWN[operation].find((reason) => reason === error.code) ?? null;
  }
  if (error instanceof DatabaseFailure || isRetryable(error) || isUnavailable(error)) {
    return null;
  }
  log.error({ err: error }, "A fact of the card network could not be recorded; it is kept.");
  return "not_recorded";
}

const REASONS: Readonly<Record<UnmatchedReason, string>> = {
  authorization_not_found: "There is no such authorization.",
  card_not_found: "There is no such card.",
  transaction_not_found: "There is no such transaction on this card.",
  not_recorded: "This card's records are damaged.",
};

function toUnmatched(reason: UnmatchedReason): DomainError {
  return new DomainError(
    "fact_unmatched",
    `${REASONS[reason]} The operator has been told; once they match it to a card, a repeat is answered with the transaction.`,
  );
}

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
  const effect = await postUnmatched({ tx, actor, request }, fact, cardId);
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
      actor: { type: "system", id: null, name: "Operator" },
      request,
      action: "card.fact-matched",
      targetType: "card",
      targetId: transaction.cardId,
      before: null,
      after: { reference: transaction.id, network_reference: fact.reference },
    },
  ]);
}
