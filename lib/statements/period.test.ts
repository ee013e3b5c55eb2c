import { describe, expect, test } from "vitest";
import { toNeighbor, toPeriod } from "#lib/statements/period.ts";
import type { PeriodQuery } from "#lib/statements/period.ts";

const HOUR_MS = 3_600_000;

test.each([
  ["Pacific/Kiritimati", "2026-11"],
  ["UTC", "2026-10"],
  ["America/Los_Angeles", "2026-10"],
])("in %s, the current month is %s while it is late in October in UTC", (timeZone, name) => {
  const now = new Date("2026-10-31T23:30:00Z");
  expect(toPeriod({}, { timeZone, now })).toMatchObject({ name, unit: "month" });
});

describe.each([
  ["America/New_York", "2026-11", "2026-11-01T04:00:00.000Z", 30 * 24 + 1],
  ["Europe/Berlin", "2026-03", "2026-02-28T23:00:00.000Z", 31 * 24 - 1],
  ["America/Santiago", "2026-09", "2026-09-01T04:00:00.000Z", 30 * 24 - 1],
  ["Australia/Lord_Howe", "2026-10", "2026-09-30T13:30:00.000Z", 31 * 24 - 0.5],
  ["UTC", "2026-10", "2026-10-01T00:00:00.000Z", 31 * 24],
] as const)("in %s, %s", (timeZone, month, ...expected) => {
  test("begins and ends with the zone's days, however its clocks change", () => {
    const { from, to } = toPeriod({ month }, { timeZone, now: new Date() });
    const hours = (to.getTime() - from.getTime()) / HOUR_MS;
    expect([from.toISOString(), hours]).toEqual(expected);
  });
});

test.each<[string, PeriodQuery, PeriodQuery, PeriodQuery]>([
  ["a month", { month: "2026-01" }, { month: "2025-12" }, { month: "2026-02" }],
  ["a quarter", { quarter: "2026-Q4" }, { quarter: "2026-Q3" }, { quarter: "2027-Q1" }],
  ["a week", { week: "2026-W53" }, { week: "2026-W52" }, { week: "2027-W01" }],
  ["a day", { day: "2026-03-01" }, { day: "2026-02-28" }, { day: "2026-03-02" }],
  [
    "days",
    { from: "2026-03-01", to: "2026-03-03" },
    { from: "2026-02-26", to: "2026-02-28" },
    { from: "2026-03-04", to: "2026-03-06" },
  ],
])("%s has one of the same length before it and after it", (_what, ...[query, before, after]) => {
  const period = toPeriod(query, { timeZone: "UTC", now: new Date() });
  expect([toNeighbor(period, -1), toNeighbor(period, 1)]).toEqual([before, after]);
});
