import { PERIOD_UNITS, toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import type { Days, PeriodUnit } from "#lib/base/calendar-period.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";

const DAY_MS = 86_400_000;

/** The longest custom period, in days: a leap year. */
export const PERIOD_DAYS_MAX = 366;

/** A request for a period: by its name, by its first and last day, or as a single moment. */
export type PeriodQuery = Partial<Record<PeriodUnit | "from" | "to", string | undefined>> & {
  at?: Date | undefined;
};

/** The days, or the moment, of a statement. */
export interface StatementPeriod {
  from: Date;
  /** Exclusive. The same as `from` for the balance at a moment. */
  to: Date;
  /** `2026-10`, or `2026-10-03-to-2026-10-09`; for a moment its day. */
  name: string;
  /** Its first and last day; null for a moment. */
  days: Days | null;
  /** Null for a custom period and for a moment. */
  unit: PeriodUnit | null;
}

/**
 * The requested period, in days of a time zone; by default, the current month.
 * @throws Error for an invalid name. Callers must have validated the query.
 */
export function toPeriod(
  query: PeriodQuery,
  { timeZone, now }: { timeZone: string; now: Date },
): StatementPeriod {
  const { at, from, to } = query;
  if (at) {
    return { from: at, to: at, name: toLocalDay(at, timeZone), days: null, unit: null };
  }
  if (from !== undefined && to !== undefined) {
    const days = { first: from, last: to };
    return { ...toMoments(days, timeZone), name: `${from}-to-${to}`, days, unit: null };
  }
  const unit = PERIOD_UNITS.find((each) => query[each] !== undefined) ?? "month";
  const name = query[unit] ?? toPeriodName(unit, toLocalDay(now, timeZone));
  const days = toDays(unit, name);
  if (!days) {
    throw new Error(`There is no ${unit} ${name}.`);
  }
  return { ...toMoments(days, timeZone), name, days, unit };
}

/** The query for the period of the same length right before or after this one. */
export function toNeighbor({ days, unit }: StatementPeriod, step: 1 | -1): PeriodQuery {
  if (!days) {
    return {};
  }
  const { first, last } = days;
  if (unit) {
    return { [unit]: toPeriodName(unit, step === 1 ? addDays(last, 1) : addDays(first, -1)) };
  }
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return { from: addDays(first, step * length), to: addDays(last, step * length) };
}

function toMoments({ first, last }: Days, timeZone: string) {
  return { from: toDayStart(first, timeZone), to: toDayStart(addDays(last, 1), timeZone) };
}
