import { describe, expect, test, vi } from "vitest";
import { toDay, toMoments, toQuery } from "./day-range.ts";

const HOUR_MS = 3_600_000;

test.each(["", "today", "2026-1-1", "2026-13-01", "2026-01-31T00:00:00Z", ["2026-01-31"]])(
  "%j is no day",
  (given) => expect(toDay(given)).toBeUndefined(),
);

describe("a range of days", () => {
  test.each([
    ["UTC", "2026-03-08", "2026-03-08T00:00:00.000Z", 24],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
    ["Asia/Kolkata", "2026-03-08", "2026-03-07T18:30:00.000Z", 24],
    ["Asia/Kathmandu", "2026-03-08", "2026-03-07T18:15:00.000Z", 24],
    ["Pacific/Chatham", "2026-04-05", "2026-04-04T10:15:00.000Z", 25],
  ])("in %s: %s alone begins at %s and lasts %d hours", (timeZone, day, ...expected) => {
    const { from, to } = toMoments({ from: day, to: day }, timeZone);
    const hours = ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / HOUR_MS;
    expect([from?.toISOString(), hours]).toEqual(expected);
  });

  test("is open where no day is given", () => {
    expect(toMoments({}, "America/New_York")).toEqual({ from: undefined, to: undefined });
  });
});

test.each([
  ["UTC", "today", "2026-03-09T00:00:00.000Z", undefined],
  ["America/New_York", "today", "2026-03-08T05:00:00.000Z", undefined],
  ["Pacific/Chatham", "today", "2026-03-08T10:15:00.000Z", undefined],
  ["America/New_York", "7-days", "2026-03-02T05:00:00.000Z", undefined],
  ["UTC", "30-days", "2026-02-08T00:00:00.000Z", undefined],
  ["UTC", "this-month", "2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"],
  // The clocks change within the month.
  ["America/New_York", "this-month", "2026-03-01T05:00:00.000Z", "2026-04-01T04:00:00.000Z"],
  ["UTC", "last-month", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
] as const)("in %s, %s goes from %s to %s", (...given) => {
  const [timeZone, range, from, to] = given;
  vi.useFakeTimers({ now: new Date("2026-03-09T03:30:00Z") });
  try {
    expect(toQuery({ range }, timeZone)).toEqual({ from, to });
  } finally {
    vi.useRealTimers();
  }
});

test("on the last day of a long month, too, last month is the one before", () => {
  vi.useFakeTimers({ now: new Date("2026-03-31T12:00:00Z") });
  try {
    expect(toQuery({ range: "last-month" }, "UTC")).toEqual({
      from: "2026-02-01T00:00:00.000Z",
      to: "2026-03-01T00:00:00.000Z",
    });
  } finally {
    vi.useRealTimers();
  }
});
