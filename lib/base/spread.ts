const JITTER = 0.2;

/**
 * A delay spread by a fifth either way, so that what failed together is not tried again together.
 * @param random from 0 to 1.
 */
export function spread(delay: number, random: number): number {
  return delay * (1 + JITTER * (2 * random - 1));
}
