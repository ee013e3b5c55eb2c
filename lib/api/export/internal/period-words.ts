import type { Period } from "#lib/base/period.ts";
import { toLocalDay } from "#lib/base/time-zone.ts";

/** The days of a filter as a part of the file's name: `-2026-10-01-to-2026-10-31`. */
export function toPeriodWords({ from, to }: Period, timeZone: string): string {
  const first = from && toLocalDay(from, timeZone);
  const last = to && toLocalDay(new Date(to.getTime() - 1), timeZone);
  if (first === undefined) {
    return last === undefined ? "" : `-to-${last}`;
  }
  return last === undefined ? `-from-${first}` : `-${first}-to-${last}`;
}
