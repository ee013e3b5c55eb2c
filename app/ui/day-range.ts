import { toText } from "./search-params.ts";
import type { Param } from "./search-params.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;

/** The first and the last day of a list, such as `2026-01-31`; both are included. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** The day in a member of a URL, such as `2026-01-31`; any other text is ignored. */
export function toDay(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The day this many days ago in a time zone; today with 0. */
export function toDayAgo(days: number, timeZone: string): string {
  return addDays(toLocalDay(new Date(), timeZone), -days);
}

/** Whole days in a time zone, both included, as moments: the later one is excluded. */
export function toMoments(
  { from, to }: DayRange,
  timeZone: string,
): { from: Date | undefined; to: Date | undefined } {
  return {
    from: from === undefined ? undefined : toDayStart(from, timeZone),
    to: to === undefined ? undefined : toDayStart(addDays(to, 1), timeZone),
  };
}

/** A list's filters as the API takes them: days become moments, the later one excluded. */
export function toQuery<Rest extends object>(
  { from, to, ...rest }: DayRange & Rest,
  timeZone: string,
) {
  const moments = toMoments({ from, to }, timeZone);
  return { ...rest, from: moments.from?.toISOString(), to: moments.to?.toISOString() };
}
