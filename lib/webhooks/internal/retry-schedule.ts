import { spread } from "#lib/base/spread.ts";
import type { Failure } from "#lib/webhooks/delivery-states.ts";

/** The delay before each retry of a notification, failure by failure. */
export const RETRY_STEPS_S = [
  5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
] as const;

/** The tenth failure is the last. */
export const FAILURES_MAX = RETRY_STEPS_S.length + 1;

const BUSY_LEAST_S = 60;
const RETRY_AFTER_STEPS_MAX = 2;

/** Statuses of a receiver that is overloaded. */
const BUSY_STATUSES: ReadonlySet<number | null> = new Set([429, 502, 504]);

/** A failed attempt. `failures` includes it; `retryAfterS` is what the receiver requested. */
export interface FailedAttempt {
  failures: number;
  failure: Failure;
  status: number | null;
  retryAfterS: number | null;
}

/**
 * The delay after a failure, in milliseconds; null when it was the last. The delay is spread by a fifth
 * either way, so that deliveries that failed together are not reattempted together. `Retry-After` replaces the
 * delay, but never makes it shorter than one step or longer than two.
 * @param random from 0 to 1.
 */
export function toRetryDelayMs(attempt: FailedAttempt, random: number): number | null {
  const step = RETRY_STEPS_S[attempt.failures - 1];
  if (step === undefined) {
    return null;
  }
  const isBusy = BUSY_STATUSES.has(attempt.status) || attempt.failure === "timed_out";
  const least = isBusy ? Math.max(step, BUSY_LEAST_S) : step;
  const usual = Math.max(spread(step, random), isBusy ? BUSY_LEAST_S : 0);
  const seconds =
    attempt.retryAfterS === null
      ? usual
      : Math.min(Math.max(attempt.retryAfterS, least), RETRY_AFTER_STEPS_MAX * least);
  return Math.round(seconds * 1_000);
}
