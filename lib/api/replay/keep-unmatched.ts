import { processorReferences } from "#lib/api/replay/processor-references.ts";
import type { ProcessorReference } from "#lib/api/replay/processor-references.ts";
import type { Procedure } from "#lib/api/replay/perform.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { keepFact } from "#lib/processor/unmatched.ts";
import type { Fact, UnmatchedReason } from "#lib/processor/unmatched.ts";
import { FACT_OPERATIONS } from "#db/schema/processor.ts";
import { DatabaseFailure, isRetryable, isUnavailable } from "#db/failures.ts";

type FactOperation = (typeof FACT_OPERATIONS)[number];
type Run<Done> = Procedure<ProcessorReference, ProcessorReference | null, Done>;

/**
 * The same procedure, except that a fact which it cannot record is kept for the operator, in the same transaction. A repeat
 * tries again.
 */
export function keepUnmatched<Done>(
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
    `${REASONS[reason]} It is kept for the operator. Once they match it to a card, a repeat is answered with the transaction.`,
  );
}
