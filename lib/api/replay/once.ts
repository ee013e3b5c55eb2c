import { setTimeout as sleep } from "node:timers/promises";
import { isKept } from "#lib/api/wire/answer.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import type { ReplayKey, ReplayStore } from "#lib/api/replay/store.ts";
import { DomainError } from "#lib/base/errors.ts";

/** An answer, or `busy`: another transaction holds the same name. */
export type AnswerOrBusy = Answer | "busy";

/** How long a repeat waits for the first request with its name, and how often it checks. */
const WAIT_MS = 2_000;
const POLL_MS = 50;

const running = new Map<string, { fingerprint: string; answer: Promise<Answer> }>();

/**
 * Performs a request once per name. Concurrent repeats in this process share the answer of the
 * first. Repeats in other processes wait until the claim ends, without holding a connection.
 * @throws DomainError `idempotency_in_progress` after two seconds, or the store's refusal of a
 * reused name.
 */
export async function once<Key extends ReplayKey>(
  store: ReplayStore<Key>,
  key: Key | null,
  attempt: () => Promise<AnswerOrBusy>,
): Promise<Answer> {
  if (!key) {
    return retryWhileBusy(attempt);
  }
  const name = `${store.scopeOf(key)} ${key.name}`;
  const first = running.get(name);
  if (first) {
    if (first.fingerprint !== key.fingerprint) {
      throw store.reused();
    }
    const answer = await first.answer;
    return { ...answer, replayed: isKept(answer) };
  }
  const answer = retryWhileBusy(attempt).finally(() => running.delete(name));
  running.set(name, { fingerprint: key.fingerprint, answer });
  return answer;
}

/** Whether a request with this name is being performed by this process. */
export function isRunning(scope: string, name: string): boolean {
  return running.has(`${scope} ${name}`);
}

async function retryWhileBusy(attempt: () => Promise<AnswerOrBusy>): Promise<Answer> {
  const deadline = Date.now() + WAIT_MS;
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
    await sleep(POLL_MS);
  }
}
