const JITTER = 0.2;

/**
 * A delay randomly changed by up to a fifth either way, so that attempts that failed together are not retried together.
 * @param random from 0 to 1.
 */
export function spread(delay: number, random: number): number {
  return delay * (1 + JITTER * (2 * random - 1));
}
