import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import type { LimitInterval } from "#db/schema/spending-controls.ts";

/** The period in which a limit counts purchases together. `from` is inclusive, `to` exclusive; null means unbounded. */
export interface LimitPeriod {
  from: Date | null;
  to: Date | null;
}

/** The first days of a period and of the next one, such as `2026-01-01`. */
type FirstDays = readonly [first: string, next: string];

/** A limit that counts each purchase alone, or all purchases ever, has no days. */
const FIRST_DAYS: Readonly<Record<LimitInterval, ((day: string) => FirstDays) | null>> = {
  per_authorization: null,
  daily: (day) => [day, addDays(day, 1)],
  weekly: (day) => toFirstDays("week", day),
  monthly: (day) => toFirstDays("month", day),
  yearly: (day) => {
    const year = Number(day.slice(0, "2026".length));
    return [`${year}-01-01`, `${year + 1}-01-01`];
  },
  all_time: null,
};

function toFirstDays(unit: "week" | "month", day: string): FirstDays {
  const { first, last } = toDays(unit, toPeriodName(unit, day)) ?? { first: day, last: day };
  return [first, addDays(last, 1)];
}

/** The period of a limit that a moment belongs to, by the days of a time zone. Weeks begin on Monday. */
export function toLimitPeriod(interval: LimitInterval, at: Date, timeZone: string): LimitPeriod {
  const toFirst = FIRST_DAYS[interval];
  if (!toFirst) {
    return { from: null, to: null };
  }
  const [first, next] = toFirst(toLocalDay(at, timeZone));
  return { from: toDayStart(first, timeZone), to: toDayStart(next, timeZone) };
}
