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
import type { KeyClaim, KeyedRequest, StoredKey } from "#lib/api/idempotency.ts";
import { isStorable } from "#lib/api/problem.ts";
import type { RequestOrigin, WriteContext } from "#lib/context.ts";
import { DomainError, isDomainError } from "#lib/errors.ts";
import { decideFunds } from "#lib/funds.ts";
import type { FundsRequest, FundsResult } from "#lib/funds.ts";
import { Lanes } from "#lib/ledger/lane.ts";
import { together } from "#db/together.ts";
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

/** A request to move funds, and how its result is answered. */
export interface FundsCall extends Call {
  funds: Pick<FundsRequest, "kind" | "amount" | "cardId" | "narrative">;
  toAnswer(moved: Extract<FundsResult, { posted: true }>): Answer;
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

/** Pages and the API may load this module twice in one process; an integrator has one lane there all the same. */
const HOLDER = Symbol.for("floatdeck.funds-lanes");
const holder: { [HOLDER]?: Lanes<FundsCall, Attempt> } & typeof globalThis = globalThis;

/**
 * Runs one request to move funds, in one transaction with whatever other requests of its integrator come at the same time.
 * @throws DomainError `overloaded`.
 */
export function performFunds(db: Db, call: FundsCall): Promise<Answer> {
  holder[HOLDER] ??= new Lanes();
  const lanes = holder[HOLDER];
  return once(call, () =>
    lanes.submit(call.actor.integratorId, call, (calls) =>
      inTransaction(db, (tx) => performFundsBatch(tx, calls)),
    ),
  );
}

/**
 * Runs requests of one integrator to move funds, any number in one transaction: claims their keys without waiting, moves
 * the money of those that are new, and stores their answers. The answers come in the order of the calls; `busy` where a
 * key is being worked on elsewhere, or by an earlier call of the same batch.
 */
export async function performFundsBatch(tx: Tx, calls: readonly FundsCall[]): Promise<Attempt[]> {
  const [first] = calls;
  if (!first) {
    return [];
  }
  const { integratorId } = first.actor;
  const keyed = calls.flatMap((call) => call.keyed ?? []);
  const stored =
    keyed.length > 0 ? await claimKeys(tx, integratorId, keyed) : new Map<string, StoredKey>();
  const seen = new Set<string>();
  const claims = calls.map((call) => judge(call, stored, seen));
  const fresh = calls.filter((_, index) => claims[index] === "fresh");
  const decided = await decideFunds(
    tx,
    fresh.map(({ actor, request, funds, keyed: key }) => ({
      ...funds,
      actor,
      request,
      idempotencyKey: key?.key ?? null,
    })),
  );
  const results = decided.results.values();
  const answers = calls.map((call, index): Attempt => {
    const claim = claims[index] ?? "busy";
    return claim === "fresh" ? toFundsAnswer(call, results.next().value) : claim;
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
  call: FundsCall,
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

function toAttempt(claim: KeyClaim): Attempt | undefined {
  if (claim.state === "busy") {
    return "busy";
  }
  return claim.state === "answered" ? claim.answer : undefined;
}

function toFundsAnswer(call: FundsCall, result: FundsResult | undefined): Answer {
  if (!result) {
    throw new Error("Funds moved for fewer requests than were made.");
  }
  return result.posted ? call.toAnswer(result) : toRefusalAnswer(call, result.error);
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
async function once(call: Call, attempt: () => Promise<Attempt>): Promise<Answer> {
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
