import type { Processor } from "#lib/actor.ts";
import type { Answer } from "#lib/api/answer.ts";
import { toProblemAnswer } from "#lib/api/answer.ts";
import { waitUntilFree } from "#lib/api/perform.ts";
import type { Attempt } from "#lib/api/perform.ts";
import { isStorable } from "#lib/api/problem.ts";
import {
  claimReference,
  requireSameReference,
  storeOperation,
} from "#lib/api/processor-references.ts";
import type { ReferencedRequest } from "#lib/api/processor-references.ts";
import type { RequestOrigin } from "#lib/context.ts";
import { isDomainError } from "#lib/errors.ts";
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

const NOBODY: Concerned = { integratorId: null, transactionId: null };

const inFlight = new Map<string, { call: ProcessorCall; answer: Promise<Answer> }>();

/**
 * Performs an operation of the card processor once for its reference: a repeat, also a concurrent one, gets the first
 * answer, whatever has changed since. Refusals by the state of the business are such answers too.
 * @throws DomainError `reference_reused`, `idempotency_in_progress`.
 */
export async function performReferenced(db: Db, call: ProcessorCall, work: Work): Promise<Answer> {
  const running = inFlight.get(call.reference);
  if (running) {
    requireSameReference(running.call.fingerprint, call);
    return { ...(await running.answer), replayed: true };
  }
  const answer = waitUntilFree(() => inTransaction(db, (tx) => attempt(tx, call, work))).finally(
    () => inFlight.delete(call.reference),
  );
  inFlight.set(call.reference, { call, answer });
  return answer;
}

async function attempt(tx: Tx, call: ProcessorCall, work: Work): Promise<Attempt> {
  const { actor, request, reference, fingerprint } = call;
  const claim = await claimReference(tx, call);
  if (claim.state !== "free") {
    return claim.state === "busy" ? "busy" : claim.answer;
  }
  const { answer, concerned } = await inSavepoint(tx, (inner) =>
    work({ tx: inner, actor, request }),
  ).catch((error: unknown) => ({ answer: toKeptRefusal(call, error), concerned: NOBODY }));
  await storeOperation(
    tx,
    { reference, fingerprint },
    {
      ...concerned,
      operation: call.operation,
      apiKeyId: call.apiKeyId,
      requestId: request.id,
      answer,
    },
  );
  return answer;
}

/** A refusal that a repeat will get too; anything else is thrown on, and the reference stays unused. */
function toKeptRefusal(call: ProcessorCall, error: unknown): Answer {
  if (!isDomainError(error)) {
    throw error;
  }
  const answer = toProblemAnswer(error, { instance: call.instance, requestId: call.request.id });
  if (!isStorable(answer.status)) {
    throw error;
  }
  return answer;
}
