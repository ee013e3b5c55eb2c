import { expect, test } from "vitest";
import { summarize } from "./measure.ts";
import type { Summary } from "./measure.ts";
import { toMisbehaviorLines, toMisbehaviorName, toMisbehaviorTable } from "./misbehavior-report.ts";

test("others may wait 50 ms longer, or twice as long, whichever is more", () => {
  expect(judge(10, 60)).toEqual([true, true]);
  expect(judge(10, 61)).toEqual([false, true]);
  expect(judge(100, 200)).toEqual([true, true]);
  expect(judge(100, 201)).toEqual([false, true]);
});

test("the median of the rounds decides, each against the same round alone", () => {
  const summaries = toSummaries(toSummary([10, 100, 10]), toSummary([500, 190, 30]));
  expect(toMisbehaviorTable(summaries).at(-2)).toBe(
    "| wrong keys | credit | 10.0 | 190.0 | 10.0 | 190.0 | 3.0 | 0.95 (0.50–8.33) | 0 | 0 | kept |",
  );
});

test("one answer 503 breaks the promise", () => {
  const summaries = toSummaries(toSummary([10]), toSummary([10], { failures: 3, unavailable: 1 }));
  expect(toMisbehaviorTable(summaries).at(-2)).toContain("| 1 | 2 | **missed** |");
  expect(toMisbehaviorLines(summaries).map(({ reached }) => reached)).toEqual([true, false]);
});

test("a run without misbehavior reports nothing of it", () => {
  expect(toMisbehaviorTable({ credit: toSummary([1]) })).toEqual([]);
  expect(toMisbehaviorLines({ credit: toSummary([1]) })).toEqual([]);
});

/** Whether each goal is reached at these latencies. */
function judge(alone: number, beside: number): (boolean | null)[] {
  return toMisbehaviorLines(toSummaries(toSummary([alone]), toSummary([beside]))).map(
    ({ reached }) => reached,
  );
}

/** One request a round, which took this long. */
function toSummary(latencies: readonly number[], { failures = 0, unavailable = 0 } = {}): Summary {
  return {
    ...summarize(
      latencies.map((latency) => ({
        seconds: 1,
        latencies: [latency],
        failures: 0,
        cpuSeconds: 0,
        memoryBytes: 0,
      })),
    ),
    failures,
    unavailable,
  };
}

function toSummaries(alone: Summary, beside: Summary): Record<string, Summary> {
  return {
    [toMisbehaviorName("wrong keys", "credit", "alone")]: alone,
    [toMisbehaviorName("wrong keys", "credit", "beside")]: beside,
  };
}
