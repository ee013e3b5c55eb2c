import { setTimeout as sleep } from "node:timers/promises";
import { isKept, toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import type {
  AffectedRecord,
  Remembered,
  ReplayKey,
  ReplayStore,
  SavedAnswer,
} from "#lib/api/commit/store.ts";
import { findStop } from "#lib/access/account-stop.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { inCommitSpan } from "#lib/base/tracing.ts";
import type { Decide, Result } from "#lib/group-commit/batch.ts";
import type { CommitQueue } from "#lib/api/commit/internal/queue.ts";
import { pipeline } from "#db/pipeline.ts";
import { inTransaction } from "#db/transaction.ts";
import { database } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";
import { timeLimit } from "#db/time-limits.ts";

/** One write request by an authorized caller. */
export interface Call<Key extends ReplayKey, Input, Done> {
  /** Null: every time the request is sent, it is performed. */
  key: Key | null;
  /**
   * The integrator whose change it is: refused while the operator has stopped its changes. Null for the card
   * network's changes, which no stop refuses.
   */
  integratorId: string | null;
  /** Calls of one procedure in the same group can share a transaction. Null: the call has its own. */
  group: string | null;
  request: RequestOrigin;
  /** The requested path, as problems name it. */
  instance: string;
  input: Input;
  toAnswered(done: Done): Answered;
}

/** The answer to a request, and the records it affected. */
export interface Answered {
  answer: Answer;
  affected?: AffectedRecord;
}

/** An answer, or `busy`: another transaction holds the same name. */
export type AnswerOrBusy = Answer | "busy";

/** How requests of a kind are performed. */
export interface Procedure<Key extends ReplayKey, Input, Done> {
  store: ReplayStore<Key>;
  /** Locks and decides requests in order. A refusal is a value. */
  decide: Decide<Input, Done>;
  /** Where the calls of a group wait to share a transaction: `commit` performs its batches. */
  queue?: CommitQueue<Call<Key, Input, Done>, AnswerOrBusy>;
}

const UNAFFECTED: AffectedRecord = { integratorId: null, transactionId: null };

/** How often a repeat checks whether the first request with its name has ended. */
const POLL_MS = 50;

/**
 * Performs a request once per key. Each step has its reason:
 * `once`: repeats that this process is performing share one answer, without a connection.
 * `retryWhileBusy`: repeats elsewhere wait for the first one's claim to end, without a connection either.
 * `queue`: requests of a group share a commit, because one commit costs as much as another.
 * `commit`: one transaction, so that the effects and the answer are saved together or not at all.
 * `performBatch`: claims keys before it locks rows, so that a repeat never waits for a lock.
 * `decide`, then `write`: everything is decided on locked rows, then written in one round trip.
 *
 * One transaction holds the request, its stored response, and any other requests of its group that arrive at the same
 * time. A business refusal (409, 422) is stored, too.
 * @throws DomainError `overloaded`, `idempotency_in_progress` after two seconds, or the store's
 * refusal of a reused key.
 */
export function perform<Key extends ReplayKey, Input, Done>(
  procedure: Procedure<Key, Input, Done>,
  call: Call<Key, Input, Done>,
): Promise<Answer> {
  const { store, queue } = procedure;
  const attempt = async () =>
    queue && call.group !== null
      ? queue.submit(call.group, call)
      : (await commit(procedure, [call]))[0];
  return call.key ? once(store, call.key, attempt) : retryWhileBusy(attempt);
}

/** Performs requests of one group in one transaction. */
export function commit<Key extends ReplayKey, Input, Done>(
  procedure: Procedure<Key, Input, Done>,
  calls: readonly Call<Key, Input, Done>[],
): Promise<AnswerOrBusy[]> {
  return inCommitSpan(calls, procedure.queue?.name, () =>
    inTransaction(database(), (tx) => performBatch(tx, calls, procedure)),
  );
}

/** The requests with a key that this process is performing. */
const running = new Map<
  string,
  Pick<ReplayKey, "fingerprint" | "recipientId"> & { answer: Promise<Answer> }
>();

/** Whether a request with this name is being performed by this process. */
export function isRunning(key: Pick<ReplayKey, "scope" | "name">): boolean {
  return running.has(toRunning(key));
}

function toRunning({ scope, name }: Pick<ReplayKey, "scope" | "name">): string {
  return `${scope} ${name}`;
}

/**
 * Concurrent repeats in this process share the answer of the first. Repeats in other processes wait
 * until the claim ends, without holding a connection.
 */
async function once<Key extends ReplayKey>(
  store: ReplayStore<Key>,
  key: Key,
  attempt: () => Promise<AnswerOrBusy | undefined>,
): Promise<Answer> {
  const name = toRunning(key);
  const first = running.get(name);
  if (first && first.recipientId !== key.recipientId) {
    return retryWhileBusy(attempt);
  }
  if (first) {
    if (first.fingerprint !== key.fingerprint) {
      throw store.reused();
    }
    const answer = await first.answer;
    return { ...answer, replayed: isKept(answer) };
  }
  const answer = retryWhileBusy(attempt).finally(() => running.delete(name));
  const { fingerprint, recipientId } = key;
  running.set(name, { fingerprint, recipientId, answer });
  return answer;
}

async function retryWhileBusy(attempt: () => Promise<AnswerOrBusy | undefined>): Promise<Answer> {
  const deadline = Date.now() + timeLimit("repeat");
  for (;;) {
    const answer = (await attempt()) ?? "busy";
    if (answer !== "busy") {
      return answer;
    }
    if (Date.now() >= deadline) {
      throw new DomainError(
        "idempotency_in_progress",
        "The first request with this idempotency key or reference is still running. Try again in a moment.",
      );
    }
    await sleep(POLL_MS);
  }
}

/**
 * Performs the requests of one group in one transaction: claims their keys without waiting, decides
 * the new ones, and writes the results together with their answers. Returns one attempt per call,
 * in order: `busy` where a key is in use elsewhere or by an earlier call of the batch.
 */
async function performBatch<Key extends ReplayKey, Input, Done>(
  tx: Tx,
  calls: readonly Call<Key, Input, Done>[],
  { store, decide }: Procedure<Key, Input, Done>,
): Promise<AnswerOrBusy[]> {
  const keys = calls.flatMap(({ key }) => key ?? []);
  const [remembered, stop] = await pipeline([
    keys.length > 0 ? store.claim(tx, keys) : NOTHING_REMEMBERED,
    findStopOf(tx, calls),
  ]);
  const seen = new Set<string>();
  const claims = calls.map((call) => judge(call, { store, remembered, seen }));
  const fresh = stop ? [] : calls.filter((_, index) => claims[index] === "fresh");
  const decided = await decide(
    tx,
    fresh.map(({ input }) => input),
  );
  const results = decided.results.values();
  const answers: SavedAnswer<Key>[] = [];
  const attempts = calls.map((call, index): AnswerOrBusy => {
    const claim = claims[index] ?? "busy";
    if (claim !== "fresh") {
      return claim;
    }
    if (stop) {
      return refuse(call, stop);
    }
    const { answer, affected = UNAFFECTED } = settle(call, results.next().value);
    if (call.key && isKept(answer)) {
      answers.push({ key: call.key, answer, affected, requestId: call.request.id });
    }
    return answer;
  });
  await pipeline([decided.write(), store.save(tx, answers)]);
  return attempts;
}

const NOTHING_REMEMBERED: Promise<ReadonlyMap<string, Remembered>> = Promise.resolve(new Map());

/** Calls that share a transaction belong to one integrator. */
async function findStopOf(
  tx: Tx,
  [call]: readonly Pick<Call<ReplayKey, never, never>, "integratorId">[],
): Promise<DomainError | null> {
  const integratorId = call?.integratorId ?? null;
  return integratorId === null ? null : findStop(tx, integratorId);
}

/** The result of a claim before any work: an earlier answer, a refusal, `busy`, or `fresh`. */
function judge<Key extends ReplayKey>(
  call: Pick<Call<Key, never, never>, "key" | "instance" | "request">,
  known: {
    store: ReplayStore<Key>;
    remembered: ReadonlyMap<string, Remembered>;
    seen: Set<string>;
  },
): AnswerOrBusy | "fresh" {
  const { key } = call;
  if (!key) {
    return "fresh";
  }
  const remembered = known.remembered.get(key.name);
  if (known.seen.has(key.name) || !remembered || remembered.state === "busy") {
    return "busy";
  }
  known.seen.add(key.name);
  if (remembered.state === "free") {
    return "fresh";
  }
  if (remembered.state === "expired") {
    return refuse(call, KEY_EXPIRED);
  }
  if (remembered.state === "erased") {
    return refuse(call, RESPONSE_ERASED);
  }
  if (remembered.state === "withheld") {
    return refuse(call, RESPONSE_WITHHELD);
  }
  return isSameRequest(key, remembered) ? remembered.answer : refuse(call, known.store.reused());
}

function isSameRequest(key: ReplayKey, { fingerprint }: { fingerprint: string }): boolean {
  return fingerprint === key.fingerprint || key.toEarlierFingerprints().includes(fingerprint);
}

const KEY_EXPIRED = new DomainError(
  "idempotency_key_expired",
  "This idempotency key has already moved money, and its answer is no longer stored. Use a new key.",
);

const RESPONSE_ERASED = new DomainError(
  "response_erased",
  "This request was performed, and its response was erased together with the cardholder whose personal data it held. Nothing was changed now.",
);

const RESPONSE_WITHHELD = new DomainError(
  "role_insufficient",
  "This request was performed, and its response holds a secret that was shown to somebody else. Only owners with a recent sign-in, and API keys that an owner created, get it again. Nothing was changed now.",
);

function settle<Done>(
  call: Pick<Call<ReplayKey, never, Done>, "instance" | "request" | "toAnswered">,
  result: Result<Done> | undefined,
): Answered {
  if (!result) {
    throw new Error("Fewer requests were decided than were made.");
  }
  return "refusal" in result
    ? { answer: refuse(call, result.refusal) }
    : call.toAnswered(result.done);
}

function refuse(
  { instance, request }: Pick<Call<ReplayKey, never, never>, "instance" | "request">,
  error: DomainError,
): Answer {
  return toProblemAnswer(error, { instance, requestId: request.id });
}
