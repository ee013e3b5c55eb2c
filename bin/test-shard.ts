/**
 * Reads `--shard`: a part of all tests, such as `1/2`, which another machine's `2/2` complements. `undefined` is all of them.
 * @returns what vitest and Playwright take, or null when it is no part.
 */
export function toShardArguments(shard: string | undefined): readonly string[] | null {
  if (shard === undefined) {
    return [];
  }
  const [, part, count] = /^(\d+)\/(\d+)$/u.exec(shard) ?? [];
  const isPart = Number(part) >= 1 && Number(part) <= Number(count);
  return isPart ? [`--shard=${shard}`] : null;
}
