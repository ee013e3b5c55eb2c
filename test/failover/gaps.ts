import type { History, Recorded } from "#test/torture/history.ts";
import { isAcknowledged } from "#test/torture/history.ts";
import { isRead } from "#test/torture/operations.ts";

/**
 * The longest time that any customer waited for an acknowledged change. Milliseconds.
 * @param from on the clock of the history; a pause counts, whole, if it ends between the two.
 * @returns Infinity when a customer's changes were not acknowledged again between the two.
 */
export function findLongestGap(
  { requests, integratorIds }: History,
  { from, to }: { from: number; to: number },
): number {
  const changes = requests.filter(isAcknowledgedChange);
  const byCustomer = Map.groupBy(changes, ({ integratorId }) => integratorId);
  const gaps = integratorIds.map((id) => {
    const moments = (byCustomer.get(id) ?? []).map(({ endedAt }) => endedAt);
    const before = Math.max(...moments.filter((moment) => moment <= from));
    const after = moments.filter((moment) => moment > from && moment < to);
    return longestBetween([before, ...after]);
  });
  return Math.max(...gaps);
}

function longestBetween(moments: readonly number[]): number {
  const sorted = moments.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((moment, index) => moment - (sorted[index] ?? moment));
  return gaps.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...gaps);
}

export function isAcknowledgedChange(request: Recorded): boolean {
  return !isRead(request.operation) && isAcknowledged(request);
}
