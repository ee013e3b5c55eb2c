import { expect, test } from "vitest";
import { hasPassed, toAheadText, toDeadlineTime } from "./deadline-clock.ts";

test("a clock is as far ahead as its offset, and a deadline passes by it", () => {
  const at = new Date("2026-01-31T10:00:00Z");
  const clock = { clockOffsetS: 3_600 };
  const deadline = toDeadlineTime(clock, at);
  expect(deadline).toEqual(new Date("2026-01-31T11:00:00Z"));
  expect(hasPassed(clock, deadline, at)).toBe(true);
  expect(hasPassed({ clockOffsetS: 3_599 }, deadline, at)).toBe(false);
  expect(hasPassed(clock, null, at)).toBe(false);
});

test.each([
  [1, "1 second"],
  [60, "1 minute"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [7 * 86_400, "7 days"],
  [86_400 + 7_200, "1 day 2 hours"],
  [2 * 86_400 + 59, "2 days 59 seconds"],
  [3 * 86_400 + 3_600 + 60 + 1, "3 days 1 hour"],
])("%d seconds ahead are %s", (seconds, text) => {
  expect(toAheadText(seconds)).toBe(text);
});
