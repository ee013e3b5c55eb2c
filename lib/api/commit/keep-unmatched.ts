import { processorReferences } from "#lib/api/commit/processor-references.ts";
import type { ProcessorReference } from "#lib/api/commit/processor-references.ts";
import type { Procedure } from "#lib/api/commit/perform.ts";
import { refusalOf } from "#lib/api/wire/answer.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { log } from "#lib/base/log.ts";
import { canMatch, keepClearing } from "#lib/processor/unmatched.ts";
import type { ClearingMessage, UnmatchedReason } from "#lib/processor/unmatched.ts";
import { database } from "#db/client.ts";
import { DatabaseFailure, isRetryable, isUnavailable } from "#db/failures.ts";
import { inTransaction } from "#db/transaction.ts";

type Run<Done> = Procedure<ProcessorReference, ProcessorReference | null, Done>;

/**
 * Wraps a procedure so that a message it does not book is kept for the operator, in the same transaction. If the
 * operator may match the message, the answer is `fact_unmatched`, and a repeat tries again.
 */
export function keepUnmatched<Done>(run: Run<Done>, clearing: ClearingMessage): Run<Done> {
  return {
    ...run,
    decide: async (tx, keys) => {
      const decided = await run.decide(tx, keys).catch((error: unknown) => ({
        results: [{ refusal: toKept(error, clearing) }],
        write: async () => undefined,
      }));
      const [result] = decided.results;
      if (!result || !("refusal" in result)) {
        return decided;
      }
      const { refusal } = result;
      const reason = await keepClearing(tx, clearing, toReason(refusal));
      if (reason === "reference_reused") {
        // Thrown, so that it is not stored as the reference's response: the other content may still be booked.
        throw processorReferences.reused();
      }
      return canMatch(clearing.operation, reason)
        ? { ...decided, results: [{ refusal: toUnmatched(reason) }] }
        : decided;
    },
  };
}

/**
 * Keeps a message that the procedure itself did not answer, because its reference belongs to other content or its
 * transaction failed as a whole.
 * @throws what the answer throws; DomainError `fact_unmatched` for a failure whose message the operator may match.
 */
export async function keepRefused(
  answer: Promise<Answer>,
  clearing: ClearingMessage,
): Promise<Answer> {
  try {
    const given = await answer;
    if (refusalOf(given).code === "reference_reused") {
      await keepApart(clearing, "reference_reused");
    }
    return given;
  } catch (error) {
    const refusal = toKept(error, clearing);
    const reason = await keepApart(clearing, toReason(refusal));
    throw canMatch(clearing.operation, reason) ? toUnmatched(reason) : refusal;
  }
}

function keepApart(clearing: ClearingMessage, reason: UnmatchedReason): Promise<UnmatchedReason> {
  return inTransaction(database(), (tx) => keepClearing(tx, clearing, reason));
}

/** The reason to keep a message, by the code of its refusal; every other refusal stands for `refused`. */
const REASONS_OF: Readonly<Partial<Record<ErrorCode, UnmatchedReason>>> = {
  authorization_not_found: "authorization_not_found",
  card_not_found: "card_not_found",
  transaction_not_found: "transaction_not_found",
  fact_unmatched: "card_conflict",
  currency_mismatch: "currency_mismatch",
  reference_reused: "reference_reused",
  internal_error: "not_recorded",
};

function toReason({ code }: DomainError): UnmatchedReason {
  return REASONS_OF[code] ?? "refused";
}

/** The refusal for a message that is kept. @throws the error itself, if a repeat may succeed. */
function toKept(error: unknown, { requestId }: ClearingMessage): DomainError {
  if (isDomainError(error)) {
    if (error.code !== "fact_unmatched" && PROBLEMS[error.code].passing) {
      throw error;
    }
    return error;
  }
  if (error instanceof DatabaseFailure || isRetryable(error) || isUnavailable(error)) {
    throw error;
  }
  log.error(
    { err: error, requestId },
    "A message of the card network could not be recorded; it is kept.",
  );
  return new DomainError(
    "internal_error",
    `Something went wrong on our side. Contact us with the request id ${requestId}.`,
  );
}

const SENTENCES: Readonly<Partial<Record<UnmatchedReason, string>>> = {
  authorization_not_found: "There is no such authorization.",
  card_not_found: "There is no such card.",
  transaction_not_found: "There is no such transaction on this card.",
  card_conflict: "The authorization is of another card.",
  currency_mismatch: "This card is in another currency.",
  not_recorded: "This card's records are damaged.",
};

function toUnmatched(reason: UnmatchedReason): DomainError {
  return new DomainError(
    "fact_unmatched",
    `${SENTENCES[reason] ?? ""} It is kept for the operator. Once they match it to a card, a repeat is answered with the transaction.`,
  );
}
