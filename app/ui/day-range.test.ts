import { describe, expect, test, vi } from "vitest";
import { toDay, toDayAgo, toMoments } from "./day-range.ts";

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

test("today, and the days before it, are those of the zone", () => {
  vi.useFakeTimers({ now: new Date("2026-03-09T03:30:00Z") });
  try {
    expect(toDayAgo(0, "UTC")).toBe("2026-03-09");
    expect(toDayAgo(0, "America/New_York")).toBe("2026-03-08");
    expect(toDayAgo(6, "America/New_York")).toBe("2026-03-02");
    expect(toDayAgo(0, "Pacific/Chatham")).toBe("2026-03-09");
  } finally {
    vi.useRealTimers();
  }
});
