import { expect, test } from "vitest";
import { findOverBudget } from "./test-costs.ts";

/** A whole run of a hundred files, each as slow as the others, on a machine this many times slower than a quiet one. */
function run(slowness: number) {
  return Array.from({ length: 100 }, (_, index) => ({
    file: `lib/${index}.test.ts`,
    ms: 4_000 * slowness,
  }));
}

test("a file that takes more than twice its budget fails the run, however fast the machine is", () => {
  for (const slowness of [0.5, 1, 10]) {
    const costs = [...run(slowness), { file: "lib/slow.test.ts", ms: 50_000 * slowness }];
    expect(findOverBudget(costs, {})).toEqual([
      expect.stringMatching(/^lib\/slow\.test\.ts: takes 44\.4 s of a quiet machine/u),
    ]);
  }
});

test("a busy machine, and a file that chance has slowed down, exceed no budget", () => {
  expect(findOverBudget(run(20), {})).toEqual([]);
  expect(findOverBudget([...run(1), { file: "lib/unlucky.test.ts", ms: 39_000 }], {})).toEqual([]);
});

test("an exception may take longer, and is one only as long as its file runs", () => {
  const slow = { file: "lib/slow.test.ts", ms: 500_000 };
  const exceptions = { "lib/slow.test.ts": "a reason" };
  expect(findOverBudget([...run(1), slow], exceptions)).toEqual([]);
  expect(findOverBudget(run(1), exceptions)).toEqual([
    "lib/slow.test.ts: is an exception in bin/test-costs.ts, and did not run",
  ]);
});
