import { bookWaitingCapture } from "#lib/api/commit/match-clearing.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import type { DecidedBatch } from "#lib/group-commit/batch.ts";
import { decideAuthorizations } from "#lib/processor/operations.ts";
import type { OwnAuthorization } from "#lib/processor/context.ts";
import type { Decision, ProcessorAuthorization } from "#lib/processor/operations.ts";
import { findWaitingCaptures } from "#lib/processor/unmatched.ts";
import type { UnmatchedClearing } from "#lib/processor/unmatched.ts";
import { pipeline } from "#db/pipeline.ts";
import { inSavepoint } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Authorizes requests as `decideAuthorizations` does. A capture that arrived before its authorization and named no
 * card has waited for it, and is booked in the same transaction.
 */
export async function authorizeAndBook(
  tx: Tx,
  requests: readonly ProcessorAuthorization[],
): Promise<DecidedBatch<Decision>> {
  const references = requests.flatMap(({ reference }) => reference ?? []);
  const [{ results, write }, waiting] = await pipeline([
    decideAuthorizations(tx, requests),
    findWaitingCaptures(tx, references),
  ]);
  if (waiting.length === 0) {
    return { results, write };
  }
  return {
    results,
    write: async () => {
      // The batch's answers are sent along with this, so no savepoint below can roll them back.
      await write();
      for (const [index, request] of requests.entries()) {
        const result = results[index];
        const authorization = result && "done" in result ? toOwn(result.done) : null;
        const own = waiting.filter(
          (clearing) => clearing.authorizationReference === request.reference,
        );
        if (authorization) {
          await bookAll(tx, request.request, { clearings: own, authorization });
        }
      }
    },
  };
}

/** Null for an unknown card, whose authorization is in nobody's books. */
function toOwn({ integratorId, transaction }: Decision): OwnAuthorization | null {
  return integratorId !== null && transaction
    ? { integratorId, transactionId: transaction.id, cardId: transaction.cardId }
    : null;
}

/**
 * Books captures that waited for an authorization. A capture that cannot be booked now, because the float cannot take
 * what its card has left, keeps waiting.
 */
export async function bookAll(
  tx: Tx,
  request: RequestOrigin,
  {
    clearings,
    authorization,
  }: { clearings: readonly UnmatchedClearing[]; authorization: OwnAuthorization },
): Promise<void> {
  for (const clearing of clearings) {
    try {
      await inSavepoint(tx, (inner) =>
        bookWaitingCapture(inner, request, { clearing, authorization }),
      );
    } catch (error) {
      if (!isDomainError(error)) {
        throw error;
      }
    }
  }
}
