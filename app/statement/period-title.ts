import { PERIOD_UNITS, toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import type { Days, PeriodUnit } from "#lib/base/calendar-period.ts";
import { addDays } from "#lib/base/time-zone.ts";
import type { StatementPeriod } from "#lib/statements/period.ts";

/** The days of a period. A page shows a period, never a moment. */
export function requireDays({ days }: StatementPeriod): Days {
  if (!days) {
    throw new Error("A page shows a period, never a moment.");
  }
  return days;
}

/** The names of the units. */
export const UNIT_NAMES: Readonly<Record<PeriodUnit, string>> = {
  day: "Day",
  week: "Week",
  month: "Month",
  quarter: "Quarter",
};

const DAYS = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** A period in words: `October 2026`, `Q4 2026`, `Week 44, 2026`, `Oct 3 – 9, 2026`. */
export function toPeriodTitle(unit: PeriodUnit | null, days: Days): string {
  return TITLES[unit ?? "day"](days);
}

/** The parts of a period's name: `2026` and `Q4`. */
function toParts(unit: PeriodUnit, { first }: Days): [year: string, part: string] {
  const [year = "", part = ""] = toPeriodName(unit, first).split("-");
  return [year, part];
}

const TITLES: Readonly<Record<PeriodUnit, (days: Days) => string>> = {
  day: toDaysTitle,
  week: (days) => {
    const [year, week] = toParts("week", days);
    return `Week ${Number(week.slice(1))}, ${year}`;
  },
  month: ({ first }) => MONTH.format(new Date(first)),
  quarter: (days) => toParts("quarter", days).toReversed().join(" "),
};

/** `Oct 1 – 31, 2026` */
export function toDaysTitle({ first, last }: Days): string {
  return DAYS.formatRange(new Date(first), new Date(last));
}

/** How many periods of each unit the person can choose from. */
const CHOICES: Readonly<Record<PeriodUnit, number>> = { day: 31, week: 26, month: 24, quarter: 12 };

/** The periods of a unit up to the one that contains a day, newest first. */
export function listPeriods(unit: PeriodUnit, today: string): { id: string; name: string }[] {
  const choices: { id: string; name: string }[] = [];
  let day = today;
  while (choices.length < CHOICES[unit]) {
    const id = toPeriodName(unit, day);
    const days = toDays(unit, id);
    if (!days) {
      break;
    }
    choices.push({ id, name: toPeriodTitle(unit, days) });
    day = addDays(days.first, -1);
  }
  return choices;
}

/** The units, each with its period that contains the day. */
export function listUnits(day: string): { unit: PeriodUnit; name: string }[] {
  return PERIOD_UNITS.map((unit) => ({ unit, name: toPeriodName(unit, day) }));
}
