import { toText } from "./search-params.ts";
import type { Param } from "./search-params.ts";

const DAY_MS = 86_400_000;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;

/** The first and the last day of a list, such as `2026-01-31`; both are included. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** The day that a member of an address gives, such as `2026-01-31`; any other text says nothing. */
export function toDay(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The day in UTC this many days ago; today with 0. */
export function toDayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, "2026-01-31".length);
}

/** Whole days in UTC, both included, as moments: the later one excluded. */
export function toMoments({ from, to }: DayRange): {
  from: Date | undefined;
  to: Date | undefined;
} {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
}
