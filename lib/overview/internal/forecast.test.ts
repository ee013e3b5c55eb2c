import { expect, test } from "vitest";
import type { BookDay } from "#lib/overview/internal/book-days.ts";
import { toDaysLeft } from "./forecast.ts";

const QUIET: BookDay = {
  day: "2026-01-01",
  inflow: 0,
  outflow: 0,
  inflowFromCards: 0,
  spent: 0,
  refunded: 0,
};

/** Thirty days, the last of which had this activity. */
function thirtyDays(active: readonly Partial<BookDay>[]): BookDay[] {
  const quiet = Array.from({ length: 30 - active.length }, () => ({ ...QUIET }));
  return [...quiet, ...active.map((day) => ({ ...QUIET, ...day }))];
}

/** This many days without activity. */
function idle(days: number) {
  return Array.from({ length: days }, () => ({ outflow: 0 }));
}

test("the pace is net outflow, credits minus returns from cards, over the days since the first activity", () => {
  const days = thirtyDays([{ inflow: 14_550, outflow: 5_000, inflowFromCards: 4_300 }, ...idle(6)]);
  // 700 in seven days: 100 a day.
  expect(toDaysLeft(9_550, days)).toBe(95);
});

test("six days of activity are no forecast, seven are", () => {
  expect(toDaysLeft(100, thirtyDays([{ outflow: 10 }, ...idle(5)]))).toBe(null);
  expect(toDaysLeft(100, thirtyDays([{ outflow: 7 }, ...idle(6)]))).toBe(100);
});

test("a float that does not shrink has no forecast", () => {
  const days = thirtyDays([{ inflow: 10, inflowFromCards: 10, outflow: 10 }, ...idle(6)]);
  expect(toDaysLeft(100, days)).toBe(null);
  expect(toDaysLeft(100, thirtyDays([]))).toBe(null);
});
