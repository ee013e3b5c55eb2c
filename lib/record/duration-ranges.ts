const FIRST_MS = 1;
const LAST_MS = 60_000;
const GROWTH = 1.2;

/**
 * Where each range of durations begins, in milliseconds; the first range is everything below the first bound. A range
 * ends at most a fifth above its beginning, so a percentile read from them is at most that much too high.
 */
export const RANGE_BOUNDS: readonly number[] = toBounds();

function toBounds(): number[] {
  const bounds = [FIRST_MS];
  for (let bound = FIRST_MS; bound < LAST_MS;) {
    bound = Math.max(bound + 1, Math.floor(bound * GROWTH));
    bounds.push(bound);
  }
  return bounds;
}

/**
 * The duration in milliseconds that a share of the requests did not exceed.
 * @param counts the number of requests in each range. At least one must not be 0.
 */
export function toPercentile(counts: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [range, count] of counts.entries()) {
    seen += count;
    if (seen >= total * share) {
      return toLongest(range);
    }
  }
  throw new Error("No requests were counted.");
}

/** The longest whole number of milliseconds in a range. The last range has no end; its beginning stands for it. */
function toLongest(range: number): number {
  const next = RANGE_BOUNDS[range];
  return next === undefined ? (RANGE_BOUNDS.at(-1) ?? 0) : next - 1;
}
