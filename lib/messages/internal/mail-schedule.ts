import { spread } from "#lib/base/spread.ts";

/** The delay before each retry of a message. A server that greylists accepts it after a few minutes. */
const RETRY_STEPS_S = [5, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800] as const;

/**
 * The delay after a failure, in milliseconds; null when it was the last.
 * @param failures includes this one.
 * @param random from 0 to 1.
 */
export function toMailDelayMs(failures: number, random: number): number | null {
  const step = RETRY_STEPS_S[failures - 1];
  return step === undefined ? null : Math.round(spread(step * 1_000, random));
}
