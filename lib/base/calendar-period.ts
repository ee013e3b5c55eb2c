import { addDays } from "#lib/base/time-zone.ts";

/** Periods of whole days, and their names: `2026-10-31`, `2026-W44`, `2026-10`, `2026-Q4`. */

export const PERIOD_UNITS = ["day", "week", "month", "quarter"] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** The first and the last day of a period, such as `2026-01-31`. */
export interface Days {
  first: string;
  last: string;
}

const DAY_MS = 86_400_000;
const YEAR_MIN = 1970;
/** The day after the last day must still have a year of four digits. */
const YEAR_MAX = 9998;

/** How each unit's names look, in words for people. */
export const PERIOD_NAMES: Readonly<Record<PeriodUnit, string>> = {
  day: "a day such as 2026-10-31",
  week: "a week of ISO 8601, Monday to Sunday, such as 2026-W44",
  month: "a month such as 2026-10",
  quarter: "a quarter such as 2026-Q4",
};

/** The numbers in a name: of the year, and of the month, week, or quarter, and the day in it. */
type Numbers = readonly [year: number, part: number, day: number];

interface Unit {
  form: RegExp;
  toFirst: (numbers: Numbers) => string;
  toLast: (first: Numbers, day: string) => string;
  toName: (numbers: Numbers, day: string) => string;
}

const UNITS: Readonly<Record<PeriodUnit, Unit>> = {
  day: {
    form: /^(\d{4})-(\d{2})-(\d{2})$/u,
    toFirst: (numbers) => toDay(...numbers),
    toLast: (_, first) => first,
    toName: (_, day) => day,
  },
  week: {
    form: /^(\d{4})-W(\d{2})$/u,
    // The fourth of January is always in the first week.
    toFirst: ([year, week]) => addDays(toMonday(toDay(year, 1, 4)), (week - 1) * 7),
    toLast: (_, first) => addDays(first, 6),
    toName: (_, day) => toWeekName(day),
  },
  month: {
    form: /^(\d{4})-(\d{2})$/u,
    toFirst: ([year, month]) => toDay(year, month, 1),
    toLast: ([year, month]) => toDay(year, month + 1, 0),
    toName: (_, day) => day.slice(0, "2026-10".length),
  },
  quarter: {
    form: /^(\d{4})-Q(\d)$/u,
    toFirst: ([year, quarter]) => toDay(year, quarter * 3 - 2, 1),
    toLast: ([year, month]) => toDay(year, month + 3, 0),
    toName: ([year, month]) => `${year}-Q${Math.ceil(month / 3)}`,
  },
};

/** The days of the period with this name; undefined if there is no such period. */
export function toDays(unit: PeriodUnit, name: string): Days | undefined {
  const { form, toFirst, toLast } = UNITS[unit];
  const parts = form.exec(name);
  if (!parts) {
    return undefined;
  }
  const numbers = toNumbers(parts.slice(1));
  if (numbers[0] < YEAR_MIN || numbers[0] > YEAR_MAX) {
    return undefined;
  }
  const first = toFirst(numbers);
  // `2026-02-31` and `2026-W54` have the form of a name, but their days belong to another period.
  return toPeriodName(unit, first) === name
    ? { first, last: toLast(toNumbers(first.split("-")), first) }
    : undefined;
}

/** Each day from the first through the last one. */
export function listDays({ first, last }: Days): string[] {
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length }, (_, index) => addDays(first, index));
}

/** The name of the period that a day belongs to. */
export function toPeriodName(unit: PeriodUnit, day: string): string {
  return UNITS[unit].toName(toNumbers(day.split("-")), day);
}

function toNumbers(parts: readonly string[]): Numbers {
  const [year = 0, part = 0, day = 0] = parts.map(Number);
  return [year, part, day];
}

function toDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, "2026-01-31".length);
}

function toMonday(day: string): string {
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}

/** A week belongs to the year of its Thursday. */
function toWeekName(day: string): string {
  const thursday = addDays(toMonday(day), 3);
  const year = thursday.slice(0, "2026".length);
  const daysBefore = (Date.parse(thursday) - Date.parse(`${year}-01-01`)) / DAY_MS;
  return `${year}-W${String(Math.floor(daysBefore / 7) + 1).padStart(2, "0")}`;
}
