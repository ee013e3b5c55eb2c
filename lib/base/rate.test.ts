import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { divideLimits, returnToken, takeOwnToken, takeToken } from "#lib/base/rate.ts";

const RATE = { perSecond: 30, burst: 60 };

// Limits refill with time, which stands still here.
beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());
afterEach(() => divideLimits(1));

/** Takes tokens until one is refused. @returns how many there were. */
function drain(name: string, take = takeToken): number {
  let taken = 0;
  while (take(name, RATE).allowed) {
    taken += 1;
  }
  return taken;
}

test("three servers divide a limit, its burst and its rate", () => {
  divideLimits(3);
  expect(drain("divided")).toBe(20);
  vi.advanceTimersByTime(1_000);
  expect(drain("divided")).toBe(10);
});

test("the share of a server that has stopped comes back to the others", () => {
  divideLimits(3);
  drain("returned");
  divideLimits(2);
  vi.advanceTimersByTime(1_000);
  expect(drain("returned")).toBe(15);
});

test("a share that shrinks takes the tokens beyond it away", () => {
  expect(takeToken("shrunk", RATE).remaining).toBe(59);
  divideLimits(3);
  expect(takeToken("shrunk", RATE)).toMatchObject({ remaining: 19, resetS: 1 });
  returnToken("shrunk", RATE);
  returnToken("shrunk", RATE);
  expect(takeToken("shrunk", RATE).remaining).toBe(19);
});

test("a share holds one token at least, and what one process bears is not divided", () => {
  divideLimits(1_000);
  expect(drain("least")).toBe(1);
  expect(drain("own", takeOwnToken)).toBe(60);
});
