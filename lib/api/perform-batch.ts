import type { Answer } from "#lib/api/answer.ts";
import { claimKeys, requireUsable, storeAnswers } from "#lib/api/idempotency.ts";
import type { StoredKey } from "#lib/api/idempotency.ts";
import { isKept, once, toAttempt, toRefusalAnswer } from "#lib/api/perform.ts";
import type { Attempt, Call } from "#lib/api/perform.ts";
import { findBatchOwner } from "#lib/batch.ts";
import type { DecidedBatch } from "#lib/batch.ts";
import type { DomainError } from "#lib/errors.ts";
import type { Lanes } from "#lib/ledger/lane.ts";
import type { Db } from "#db/client.ts";
import { together } from "#db/together.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** A request that is decided together with others of its integrator, and how what became of it is answered. */
export interface BatchCall<Asked, Done> extends Call {
  asked: Asked;
  toAnswer(done: Done): Answer;
}

/** Decides requests in their order. The results become so with `write`, in the same transaction; a refusal is a value. */
type Decide<Asked, Done> = (
  tx: Tx,
  calls: readonly BatchCall<Asked, Done>[],
) => Promise<DecidedBatch<Done | { error: DomainError }>>;

/**
 * Runs one request, in one transaction with whatever other requests of its integrator come to these lanes at the same time.
 * @throws DomainError `overloaded`.
 */
export function performTogether<Asked, Done extends object>(
  db: Db,
  call: BatchCall<Asked, Done>,
  through: { lanes: Lanes<BatchCall<Asked, Done>, Attempt>; decide: Decide<Asked, Done> },
): Promise<Answer> {
  return once(call, () =>
    through.lanes.submit(call.actor.integratorId, call, (calls) =>
      inTransaction(db, (tx) => performBatch(tx, calls, through.decide)),
    ),
  );
}

/**
 * Runs requests of one integrator, any number in one transaction: claims their keys without waiting, decides those that
 * are new, and writes what comes of it together with their answers. The answers come in the order of the calls; `busy`
 * where a key is being worked on elsewhere, or by an earlier call of the same batch.
 */
export async function performBatch<Asked, Done extends object>(
  tx: Tx,
  calls: readonly BatchCall<Asked, Done>[],
  decide: Decide<Asked, Done>,
): Promise<Attempt[]> {
  const integratorId = findBatchOwner(calls);
  if (!integratorId) {
    return [];
  }
  const keyed = calls.flatMap((call) => call.keyed ?? []);
  const stored =
    keyed.length > 0 ? await claimKeys(tx, integratorId, keyed) : new Map<string, StoredKey>();
  const seen = new Set<string>();
  const claims = calls.map((call) => judge(call, stored, seen));
  const decided = await decide(
    tx,
    calls.filter((_, index) => claims[index] === "fresh"),
  );
  const results = decided.results.values();
  const answers = calls.map((call, index): Attempt => {
    const claim = claims[index] ?? "busy";
    return claim === "fresh" ? settle(call, results.next().value) : claim;
  });
  const kept = calls.flatMap((call, index) => {
    const answer = answers[index];
    const isNew = claims[index] === "fresh" && answer && answer !== "busy" && isKept(answer);
    return call.keyed && isNew ? [{ request: call.keyed, answer, requestId: call.request.id }] : [];
  });
  await together([decided.write(), storeAnswers(tx, integratorId, kept)]);
  return answers;
}

function judge(
  call: Call,
  stored: ReadonlyMap<string, StoredKey>,
  seen: Set<string>,
): Attempt | "fresh" {
  if (!call.keyed) {
    return "fresh";
  }
  if (seen.has(call.keyed.key)) {
    return "busy";
  }
  seen.add(call.keyed.key);
  try {
    const claim = requireUsable(stored.get(call.keyed.key), call.keyed);
    return toAttempt(claim) ?? "fresh";
  } catch (error) {
    return toRefusalAnswer(call, error);
  }
}

function settle<Asked, Done extends object>(
  call: BatchCall<Asked, Done>,
  result: Done | { error: DomainError } | undefined,
): Answer {
  if (!result) {
    throw new Error("Fewer requests were decided than were made.");
  }
  return "error" in result ? toRefusalAnswer(call, result.error) : call.toAnswer(result);
}
