import { toDay } from "../ui/day-range.ts";
import { toText } from "../ui/search-params.ts";
import type { Param } from "../ui/search-params.ts";
import { PERIOD_UNITS, toDays } from "#lib/base/calendar-period.ts";
import { addDays } from "#lib/base/time-zone.ts";
import { PERIOD_DAYS_MAX } from "#lib/statements/period.ts";
import type { PeriodQuery } from "#lib/statements/period.ts";

/** The members of a statement's URL that choose its period: the same as in the API. */
export const PERIOD_MEMBERS = [...PERIOD_UNITS, "from", "to"] as const;
export type PeriodSearch = Readonly<Partial<Record<(typeof PERIOD_MEMBERS)[number], Param>>>;

/** The period in the URL. An invalid one is ignored; the default is the current month. */
export function toPeriodQuery(search: PeriodSearch): Omit<PeriodQuery, "at"> {
  const from = toDay(search.from);
  const to = toDay(search.to);
  if (from !== undefined && to !== undefined && isAllowed(from, to)) {
    return { from, to };
  }
  const unit = PERIOD_UNITS.find((each) => toDays(each, toText(search[each]) ?? ""));
  return unit ? { [unit]: toText(search[unit]) } : {};
}

/** Whether a statement can cover these days. */
export function isAllowed(from: string, to: string): boolean {
  return from <= to && to < addDays(from, PERIOD_DAYS_MAX);
}
