import { describe, expect, test } from "vitest";
import {
  addDays,
  listTimeZones,
  toDayStart,
  toLocalMoment,
  toLocalDay,
  toOffsetTime,
  toTimeZone,
} from "#lib/base/time-zone.ts";

const HOUR_MS = 3_600_000;

describe("names", () => {
  test.each([
    ["UTC", "UTC"],
    ["America/New_York", "America/New_York"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["Asia/Katmandu", "Asia/Kathmandu"],
    ["Pacific/Chatham", "Pacific/Chatham"],
    ["Europe/Kiev", "Europe/Kyiv"],
  ])("%s is %s", (given, current) => expect(toTimeZone(given)).toBe(current));

  test.each(["", "EST", "+05:30", "america/new_york", "Mars/Olympus", "constructor", "GMT"])(
    "%j is no zone",
    (given) => expect(toTimeZone(given)).toBeUndefined(),
  );

  test("every zone that is offered has days and an offset", () => {
    expect(new Set(listTimeZones()).size).toBe(listTimeZones().length);
    for (const zone of listTimeZones()) {
      const start = toDayStart("2026-07-01", zone);
      expect(toLocalDay(start, zone)).toBe("2026-07-01");
      expect(toLocalDay(new Date(start.getTime() - 1), zone)).toBe("2026-06-30");
      expect(new Date(toOffsetTime(start, zone))).toEqual(start);
    }
  });
});

describe("a day", () => {
  test.each([
    ["UTC", "2026-03-08", "2026-03-08T00:00:00.000Z", 24],
    ["America/New_York", "2026-03-07", "2026-03-07T05:00:00.000Z", 24],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", 23],
    ["America/New_York", "2026-03-09", "2026-03-09T04:00:00.000Z", 24],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
    ["America/New_York", "2026-11-02", "2026-11-02T05:00:00.000Z", 24],
    ["Asia/Kolkata", "2026-01-31", "2026-01-30T18:30:00.000Z", 24],
    ["Asia/Kathmandu", "2026-01-31", "2026-01-30T18:15:00.000Z", 24],
    ["Pacific/Chatham", "2026-04-05", "2026-04-04T10:15:00.000Z", 25],
    ["Pacific/Chatham", "2026-09-27", "2026-09-26T11:15:00.000Z", 23],
    // Clocks skip midnight, and repeat the hour before it.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z", 23],
    ["Africa/Cairo", "2026-10-29", "2026-10-28T21:00:00.000Z", 25],
    // Midnight comes twice.
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
    // This day was skipped altogether.
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z", 0],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z", 24],
  ])("in %s: %s begins at %s and has %d hours", (zone, day, ...expected) => {
    const start = toDayStart(day, zone);
    const next = toDayStart(addDays(day, 1), zone);
    const hours = (next.getTime() - start.getTime()) / HOUR_MS;
    expect([start.toISOString(), hours]).toEqual(expected);
  });

  test("is the one that the zone's calendar shows", () => {
    const at = new Date("2026-01-31T19:00:00Z");
    expect(toLocalDay(at, "UTC")).toBe("2026-01-31");
    expect(toLocalDay(at, "Asia/Kolkata")).toBe("2026-02-01");
    expect(toLocalDay(new Date("2026-01-31T04:59:59Z"), "America/New_York")).toBe("2026-01-30");
  });
});

test("a time has the offset of its moment", () => {
  const winter = new Date("2026-01-31T15:00:00.123Z");
  expect(toOffsetTime(winter, "UTC")).toBe("2026-01-31T15:00:00.123Z");
  expect(toOffsetTime(winter, "America/New_York")).toBe("2026-01-31T10:00:00.123-05:00");
  expect(toOffsetTime(new Date("2026-07-31T15:00:00Z"), "America/New_York")).toBe(
    "2026-07-31T11:00:00.000-04:00",
  );
  expect(toOffsetTime(winter, "Pacific/Chatham")).toBe("2026-02-01T04:45:00.123+13:45");
});

const toText = (local: string, zone: string) => toLocalMoment(local, zone)?.toISOString();

test("a local time is a moment, also where clocks change", () => {
  expect(toText("2026-01-31T10:00", "UTC")).toBe("2026-01-31T10:00:00.000Z");
  expect(toText("2026-01-31T10:00", "America/New_York")).toBe("2026-01-31T15:00:00.000Z");
  expect(toText("2026-07-31T10:00", "America/New_York")).toBe("2026-07-31T14:00:00.000Z");
  // Shown twice: the first. Skipped: the moment at which they skip it.
  expect(toText("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  expect(toText("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
  expect(toLocalMoment("", "UTC")).toBeUndefined();
  expect(toLocalMoment("2026-01-31T", "UTC")).toBeUndefined();
});
