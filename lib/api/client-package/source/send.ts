import { attemptOnce } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import type { Incoming, LoggedAttempt, Outgoing } from "./exchange.ts";
import { member } from "./member.ts";
import { toStop } from "./stop.ts";
import { NEVER, PAUSE_MAX_MS, PAUSE_MIN_MS } from "./times.ts";

/**
 * Sends a request until the answer is final, with the same headers, so with the same idempotency key: again after a lost
 * connection, a 5xx, and any answer with `Retry-After`; and once to the key's cell, if its server is of another one.
 * @throws FloatdeckError for a refusal; FloatdeckConnectionError when no answer arrived in time.
 */
export async function send(first: Outgoing): Promise<Incoming> {
  const request = { ...first };
  const endsAt = Date.now() + request.deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = Date.now();
    const ended = await attemptOnce(request, endsAt - startedAt);
    const now = Date.now();
    const { error, response } = ended;
    const follow = member(error, "code") === "cell_elsewhere" ? request.follow : undefined;
    const pauseMs = follow ? 0 : toPause(request, ended, attempt);
    const retryInMs = now + pauseMs < endsAt ? pauseMs : undefined;
    tell(request, { attempt, durationMs: now - startedAt, retryInMs, response, error });
    if (!error) {
      return ended;
    }
    if (retryInMs === undefined) {
      throw error;
    }
    // Until the time has passed or the signal aborts.
    await new Promise((resolve) => {
      toStop(request.signal, retryInMs).signal.addEventListener("abort", resolve);
    });
    if (follow) {
      request.url = follow();
      request.follow = undefined;
    }
  }
}

/**
 * How long to wait before the next attempt; infinitely when there is none. Doubles with each one, and differs between
 * clients, so that they do not all come back at once.
 */
function toPause({ repeatable, maxRetries }: Outgoing, ended: Attempt, attempt: number): number {
  if (!ended.error || ended.isFinal || !repeatable || attempt > maxRetries) {
    return NEVER;
  }
  const most = Math.min(PAUSE_MAX_MS, (PAUSE_MIN_MS / 2) * 2 ** attempt);
  return Math.max(toRetryAfter(ended.response?.headers), most * (0.5 + Math.random() / 2));
}

/** `Retry-After` in milliseconds: it is a number of seconds, or a date, which may have passed. */
function toRetryAfter(headers: Headers | undefined): number {
  const given = headers?.get("retry-after") ?? "";
  const ms = /\D/u.test(given) ? Date.parse(given) - Date.now() : Number(given) * 1_000;
  return ms || 0;
}

/** Whatever the log does must not change what becomes of the call. */
function tell(
  { operation, url, idempotencyKey, log }: Outgoing,
  ended: Pick<LoggedAttempt, "attempt" | "durationMs" | "retryInMs" | "response" | "error">,
): void {
  try {
    log?.({ operation, path: url.pathname, idempotencyKey, ...ended });
  } catch {}
}
