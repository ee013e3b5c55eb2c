import type { Processor } from "#lib/actor.ts";
import type { Answer } from "#lib/api/answer.ts";
import { isKept, toRefusalAnswer, waitUntilFree } from "#lib/api/perform.ts";
import type { Attempt } from "#lib/api/perform.ts";
import {
  claimReferences,
  requireSameReference,
  requireUsableReference,
  storeOperations,
} from "#lib/api/processor-references.ts";
import type { KeptOperation, ReferencedRequest } from "#lib/api/processor-references.ts";
import type { RequestOrigin } from "#lib/context.ts";
import type { Concerned, ProcessorContext } from "#lib/processor/context.ts";
import { inSavepoint, inTransaction } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** A request of the card processor that changes something. */
export interface ProcessorCall extends ReferencedRequest {
  actor: Processor;
  apiKeyId: string;
  request: RequestOrigin;
  /** The operation's id in the contract. */
  operation: string;
  /** The path asked for, as problems name it. */
  instance: string;
}

/** What came of it, and whom it concerned. */
export interface Performed {
  answer: Answer;
  concerned: Concerned;
}

type Work = (ctx: ProcessorContext) => Promise<Performed>;

export const NOBODY: Concerned = { integratorId: null, transactionId: null };

const inFlight = new Map<string, { call: ProcessorCall; answer: Promise<Answer> }>();

/**
 * Performs an operation of the card processor once for its reference: a repeat, also a concurrent one, gets the first
 * answer, whatever has changed since. Refusals by the state of the business are such answers too.
 * @throws DomainError `reference_reused`, `idempotency_in_progress`.
 */
export function performReferenced(db: Db, call: ProcessorCall, work: Work): Promise<Answer> {
  return onceForReference(call, () => inTransaction(db, (tx) => attempt(tx, call, work)));
}

/**
 * Repeats in this process share the answer of the first; across processes they wait for its reference to be let go.
 * @throws DomainError `reference_reused`, `idempotency_in_progress`.
 */
export async function onceForReference(
  call: ProcessorCall,
  attemptOnce: () => Promise<Attempt>,
): Promise<Answer> {
  const running = inFlight.get(call.reference);
  if (running) {
    requireSameReference(running.call.fingerprint, call);
    return { ...(await running.answer), replayed: true };
  }
  const answer = waitUntilFree(attemptOnce).finally(() => inFlight.delete(call.reference));
  inFlight.set(call.reference, { call, answer });
  return answer;
}

async function attempt(tx: Tx, call: ProcessorCall, work: Work): Promise<Attempt> {
  const { actor, request } = call;
  const stored = await claimReferences(tx, [call]);
  const claim = requireUsableReference(stored.get(call.reference), call);
  if (claim.state !== "free") {
    return claim.state === "busy" ? "busy" : claim.answer;
  }
  const performed = await inSavepoint(tx, (inner) => work({ tx: inner, actor, request })).catch(
    (error: unknown) => ({ answer: toKeptRefusal(call, error), concerned: NOBODY }),
  );
  await storeOperations(tx, [toKept(call, performed)]);
  return performed.answer;
}

/** What is kept of a call for ever. */
export function toKept(call: ProcessorCall, { answer, concerned }: Performed): KeptOperation {
  return {
    ...concerned,
    wanted: { reference: call.reference, fingerprint: call.fingerprint },
    operation: call.operation,
    apiKeyId: call.apiKeyId,
    requestId: call.request.id,
    answer,
  };
}

/** A refusal that a repeat will get too; anything else is thrown on, and the reference stays unused. */
function toKeptRefusal(call: ProcessorCall, error: unknown): Answer {
  const answer = toRefusalAnswer(call, error);
  if (!isKept(answer)) {
    throw error;
  }
  return answer;
}
