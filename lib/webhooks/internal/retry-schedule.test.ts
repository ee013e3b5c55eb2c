import { describe, expect, test } from "vitest";
import {
  FAILURES_MAX,
  RETRY_STEPS_S,
  toRetryDelayMs,
} from "#lib/webhooks/internal/retry-schedule.ts";
import type { FailedAttempt } from "#lib/webhooks/internal/retry-schedule.ts";

const failed = (members: Partial<FailedAttempt> = {}): FailedAttempt => ({
  failures: 1,
  failure: "server_failed",
  status: 500,
  retryAfterS: null,
  ...members,
});

const after = (retryAfterS: number, members: Partial<FailedAttempt> = {}) =>
  toRetryDelayMs(failed({ failures: 2, status: 503, retryAfterS, ...members }), 0.9);

describe("the retries", () => {
  test("come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and the tenth failure is the last", () => {
    const seconds = Array.from({ length: FAILURES_MAX }, (_, index) =>
      toRetryDelayMs(failed({ failures: index + 1 }), 0.5),
    );
    expect(seconds).toEqual([
      ...[5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000),
      null,
    ]);
  });

  test("are spread by a fifth either way", () => {
    for (const [index, step] of RETRY_STEPS_S.entries()) {
      const attempt = failed({ failures: index + 1 });
      expect([toRetryDelayMs(attempt, 0), toRetryDelayMs(attempt, 1)]).toEqual([
        step * 800,
        step * 1_200,
      ]);
    }
  });

  test.each([
    [{ status: 429, failure: "rate_limited" as const }],
    [{ status: 502 }],
    [{ status: 504 }],
    [{ status: null, failure: "timed_out" as const }],
  ])("after %o wait at least a minute", (members) => {
    for (const random of [0, 0.5, 1]) {
      expect(toRetryDelayMs(failed(members), random)).toBe(60_000);
    }
    expect(toRetryDelayMs(failed({ ...members, failures: 2 }), 0)).toBe(240_000);
  });

  test("follow Retry-After between one and two steps", () => {
    expect([after(1), after(400), after(100_000)]).toEqual([300_000, 400_000, 600_000]);
    const busy = { failures: 1, status: 429, failure: "rate_limited" } as const;
    expect([after(1, busy), after(90, busy), after(3_600, busy)]).toEqual([
      60_000, 90_000, 120_000,
    ]);
  });
});
