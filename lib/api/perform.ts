import { setTimeout as sleep } from "node:timers/promises";
import type { Member } from "#lib/actor.ts";
import { toProblemAnswer } from "#lib/api/answer.ts";
import type { Answer } from "#lib/api/answer.ts";
import {
  claimKeys,
  requireSameRequest,
  requireUsable,
  storeAnswers,
} from "#lib/api/idempotency.ts";
import type { KeyClaim, KeyedRequest } from "#lib/api/idempotency.ts";
import { isStorable } from "#lib/api/problem.ts";
import type { RequestOrigin, WriteContext } from "#lib/context.ts";
import { DomainError, isDomainError } from "#lib/errors.ts";
import { inSavepoint, inTransaction } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** A request that changes something, by somebody who may. */
export interface Call {
  actor: Member;
  request: RequestOrigin;
  /** The path asked for, as problems name it. */
  instance: string;
  /** Null without an idempotency key. */
  keyed: KeyedRequest | null;
}

/** How long a repeat waits for the first request under its key, and how often it looks. */
const KEY_WAIT_MS = 2_000;
const KEY_POLL_MS = 50;

/** An answer, or that somebody else is at work under the same key. */
export type Attempt = Answer | "busy";

const inFlight = new Map<string, { keyed: KeyedRequest; answer: Promise<Answer> }>();

/**
 * Runs a write in one transaction, together with the storing of its answer under the request's key. A refusal by the
 * state of the business is stored too, after its effects are rolled back.
 */
export function performWrite(
  db: Db,
  call: Call,
  work: (ctx: WriteContext) => Promise<Answer>,
): Promise<Answer> {
  return once(call, () => inTransaction(db, (tx) => attemptWrite(tx, call, work)));
}

async function attemptWrite(
  tx: Tx,
  call: Call,
  work: (ctx: WriteContext) => Promise<Answer>,
): Promise<Attempt> {
  const { keyed, actor, request } = call;
  if (!keyed) {
    return work({ tx, actor, request });
  }
  const stored = await claimKeys(tx, actor.integratorId, [keyed]);
  const known = toAttempt(requireUsable(stored.get(keyed.key), keyed));
  if (known) {
    return known;
  }
  const answer = await inSavepoint(tx, (inner) =>
    work({ tx: inner, actor, request, idempotencyKey: keyed.key }),
  ).catch((error: unknown) => {
    const refused = toRefusalAnswer(call, error);
    if (!isKept(refused)) {
      throw error;
    }
    return refused;
  });
  await storeAnswers(tx, actor.integratorId, [{ request: keyed, answer, requestId: request.id }]);
  return answer;
}

/** What a claim comes to without any work; undefined where the key is this transaction's now. */
export function toAttempt(claim: KeyClaim): Attempt | undefined {
  if (claim.state === "busy") {
    return "busy";
  }
  return claim.state === "answered" ? claim.answer : undefined;
}

/** A refusal as an answer; anything else is thrown on. */
export function toRefusalAnswer(call: Pick<Call, "instance" | "request">, error: unknown): Answer {
  if (!isDomainError(error)) {
    throw error;
  }
  return toProblemAnswer(error, { instance: call.instance, requestId: call.request.id });
}

/** Whether a repeat is to get this answer too. */
export function isKept(answer: Answer): boolean {
  return answer.code === null || isStorable(answer.status);
}

/** Repeats in this process share the answer of the first; across processes they wait for its key to be let go. */
export async function once(call: Call, attempt: () => Promise<Attempt>): Promise<Answer> {
  const { keyed } = call;
  if (!keyed) {
    return waitUntilFree(attempt);
  }
  const name = `${call.actor.integratorId} ${keyed.key}`;
  const running = inFlight.get(name);
  if (running) {
    requireSameRequest(running.keyed.fingerprint, keyed);
    const answer = await running.answer;
    return { ...answer, replayed: isKept(answer) };
  }
  const answer = waitUntilFree(attempt).finally(() => inFlight.delete(name));
  inFlight.set(name, { keyed, answer });
  return answer;
}

/** Tries again while somebody else works under the same key, without holding a connection meanwhile. */
export async function waitUntilFree(attempt: () => Promise<Attempt>): Promise<Answer> {
  const deadline = Date.now() + KEY_WAIT_MS;
  for (;;) {
    const answer = await attempt();
    if (answer !== "busy") {
      return answer;
    }
    if (Date.now() >= deadline) {
      throw new DomainError(
        "idempotency_in_progress",
        "The first request with this idempotency key or reference is still running. Try again in a moment.",
      );
    }
    await sleep(KEY_POLL_MS);
  }
}
