import type { Answer } from "#lib/api/answer.ts";
import { isKept, toRefusalAnswer } from "#lib/api/perform.ts";
import type { Attempt } from "#lib/api/perform.ts";
import { NOBODY, onceForReference, performReferenced, toKept } from "#lib/api/processor-perform.ts";
import type { Performed, ProcessorCall } from "#lib/api/processor-perform.ts";
import {
  claimReferences,
  requireUsableReference,
  storeOperations,
} from "#lib/api/processor-references.ts";
import type { KeptOperation, StoredReference } from "#lib/api/processor-references.ts";
import { decideAuthorizations } from "#lib/authorizations.ts";
import type { AuthorizationResult } from "#lib/authorizations.ts";
import { Lanes } from "#lib/ledger/lane.ts";
import { recallCardOwner } from "#lib/processor/context.ts";
import { decideAuthorization, toDecision } from "#lib/processor/operations.ts";
import type { Asked, Decision } from "#lib/processor/operations.ts";
import { together } from "#db/together.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** The card processor's request for an authorisation, and how its decision is answered. */
export interface AuthorizationCall extends ProcessorCall {
  asked: Asked;
  toAnswer(decision: Decision): Answer;
}

/** Only the processor's routes load this module, in the server alone: an integrator has one lane in a process. */
const lanes = new Lanes<AuthorizationCall, Attempt>();

/**
 * Decides a request once for its reference, in one transaction with whatever other requests for the same integrator's
 * cards come at the same time. A card that is nobody's is declined by itself.
 * @throws DomainError `overloaded`, and as `performReferenced`.
 */
export async function performAuthorization(db: Db, call: AuthorizationCall): Promise<Answer> {
  const integratorId = await recallCardOwner(db, call.asked.cardId);
  if (integratorId === undefined) {
    return performReferenced(db, call, async (ctx) =>
      toPerformed(call, await decideAuthorization(ctx, call.asked)),
    );
  }
  return onceForReference(call, () =>
    lanes.submit(integratorId, call, (calls) =>
      inTransaction(db, (tx) => performBatch(tx, integratorId, calls)),
    ),
  );
}

function toPerformed(call: AuthorizationCall, decision: Decision): Performed {
  return {
    answer: call.toAnswer(decision),
    concerned: {
      integratorId: decision.integratorId,
      transactionId: decision.transaction?.id ?? null,
    },
  };
}

/** The answers come in the order of the calls; `busy` where a reference is being worked on elsewhere. */
async function performBatch(
  tx: Tx,
  integratorId: string,
  calls: readonly AuthorizationCall[],
): Promise<Attempt[]> {
  const stored = await claimReferences(tx, calls);
  const claims = calls.map((call) => judge(call, stored));
  const decided = await decideAuthorizations(
    tx,
    calls
      .filter((_, index) => claims[index] === "fresh")
      .map(({ asked, actor, request }) => ({
        ...asked,
        actor: { integratorId, ref: actor.ref },
        request,
      })),
  );
  const results = decided.results.values();
  const kept: KeptOperation[] = [];
  const answers = calls.map((call, index): Attempt => {
    const claim = claims[index] ?? "busy";
    if (claim !== "fresh") {
      return claim;
    }
    const performed = settle(call, integratorId, results.next().value);
    if (isKept(performed.answer)) {
      kept.push(toKept(call, performed));
    }
    return performed.answer;
  });
  await together([decided.write(), storeOperations(tx, kept)]);
  return answers;
}

function judge(
  call: AuthorizationCall,
  stored: ReadonlyMap<string, StoredReference>,
): Attempt | "fresh" {
  try {
    const claim = requireUsableReference(stored.get(call.reference), call);
    if (claim.state === "free") {
      return "fresh";
    }
    return claim.state === "busy" ? "busy" : claim.answer;
  } catch (error) {
    return toRefusalAnswer(call, error);
  }
}

function settle(
  call: AuthorizationCall,
  integratorId: string,
  result: AuthorizationResult | undefined,
): Performed {
  if (!result) {
    throw new Error("Authorisations were decided for fewer requests than were made.");
  }
  return "error" in result
    ? { answer: toRefusalAnswer(call, result.error), concerned: NOBODY }
    : toPerformed(call, toDecision(integratorId, result));
}
