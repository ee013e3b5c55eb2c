import { expect, test } from "vitest";
import { PERIOD_UNITS, toDays, toPeriodName } from "#lib/base/calendar-period.ts";
import { addDays } from "#lib/base/time-zone.ts";

test.each([
  ["day", "2026-10-31", "2026-10-31", "2026-10-31"],
  ["week", "2026-W01", "2025-12-29", "2026-01-04"],
  ["week", "2026-W53", "2026-12-28", "2027-01-03"],
  ["week", "2027-W01", "2027-01-04", "2027-01-10"],
  ["month", "2026-10", "2026-10-01", "2026-10-31"],
  ["month", "2028-02", "2028-02-01", "2028-02-29"],
  ["month", "2026-12", "2026-12-01", "2026-12-31"],
  ["quarter", "2026-Q1", "2026-01-01", "2026-03-31"],
  ["quarter", "2026-Q4", "2026-10-01", "2026-12-31"],
] as const)("the %s %s is from %s to %s", (unit, name, ...days) => {
  const { first, last } = toDays(unit, name) ?? {};
  expect([first, last]).toEqual(days);
});

test.each([
  ["day", "2026-02-29"],
  ["day", "2026-10"],
  ["week", "2027-W53"],
  ["week", "2026-W00"],
  ["week", "2026-44"],
  ["month", "2026-13"],
  ["month", "2026-00"],
  ["month", "2026-10-01"],
  ["month", "1969-12"],
  ["month", "9999-12"],
  ["quarter", "2026-Q0"],
  ["quarter", "2026-Q5"],
] as const)("there is no %s %s", (unit, name) => {
  expect(toDays(unit, name)).toBeUndefined();
});

test.each(PERIOD_UNITS)(
  "every day belongs to exactly one %s, and each follows the last",
  (unit) => {
    const days = Array.from({ length: 3_300 }, (_, at) => addDays("2019-12-30", at));
    const periods = new Set(days.map((day) => toPeriodName(unit, day)));
    const listed = [...periods].flatMap((name) => {
      const { first = "", last = "" } = toDays(unit, name) ?? {};
      const length = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
      return Array.from({ length }, (_, at) => addDays(first, at));
    });
    const begin = listed.indexOf(days[0] ?? "");
    expect(listed.slice(begin, begin + days.length)).toEqual(days);
  },
);
