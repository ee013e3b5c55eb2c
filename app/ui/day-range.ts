import { toText } from "./search-params.ts";
import type { Param } from "./search-params.ts";
import { toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;

/** The ranges of days that people choose most. Each is relative to the current day. */
export const RANGES = [
  { id: "today", name: "Today", toDays: (today) => ({ from: today }) },
  { id: "7-days", name: "7 days", toDays: (today) => ({ from: addDays(today, -6) }) },
  { id: "30-days", name: "30 days", toDays: (today) => ({ from: addDays(today, -29) }) },
  { id: "this-month", name: "This month", toDays: toMonth },
  {
    id: "last-month",
    name: "Last month",
    toDays: (today) => toMonth(addDays(toMonth(today).from, -1)),
  },
] as const satisfies readonly {
  id: string;
  name: string;
  toDays: (today: string) => Pick<DayRange, "from" | "to">;
}[];

/** The days of a list: a range, or the first and the last one, such as `2026-01-31`, which are both included. */
export interface DayRange {
  range?: (typeof RANGES)[number]["id"] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The first and the last day on which transactions posted, as members of a list's URL. */
export interface PostedDays {
  posted_from?: string | undefined;
  posted_to?: string | undefined;
}

/** The day in a member of a URL, such as `2026-01-31`; any other text is ignored. */
export function toDay(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Whole days in a time zone, both included, as moments: the later one is excluded. */
export function toMoments(
  { range, ...days }: DayRange,
  timeZone: string,
): { from: Date | undefined; to: Date | undefined } {
  const today = toLocalDay(new Date(), timeZone);
  const { from, to }: DayRange = RANGES.find(({ id }) => id === range)?.toDays(today) ?? days;
  return {
    from: from === undefined ? undefined : toDayStart(from, timeZone),
    to: to === undefined ? undefined : toDayStart(addDays(to, 1), timeZone),
  };
}

/** A list's filters as the API takes them: days become moments, the later one excluded. */
export function toQuery<Rest extends object>(
  { range, from, to, posted_from: first, posted_to: last, ...rest }: DayRange & PostedDays & Rest,
  timeZone: string,
) {
  const moments = toMoments({ range, from, to }, timeZone);
  const posted = toMoments({ from: first, to: last }, timeZone);
  return {
    ...rest,
    from: moments.from?.toISOString(),
    to: moments.to?.toISOString(),
    posted_from: posted.from?.toISOString(),
    posted_to: posted.to?.toISOString(),
  };
}

/** The month that a day belongs to. */
function toMonth(day: string): { from: string; to: string } {
  const days = toDays("month", toPeriodName("month", day));
  return { from: days?.first ?? day, to: days?.last ?? day };
}
