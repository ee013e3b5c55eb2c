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
    expect(findOverBudget(costs)).toEqual([
      expect.stringMatching(/^lib\/slow\.test\.ts: takes 44\.4 s of a quiet machine/u),
    ]);
  }
});

test("a busy machine, and a file that chance has slowed down, exceed no budget", () => {
  expect(findOverBudget(run(20))).toEqual([]);
  expect(findOverBudget([...run(1), { file: "lib/unlucky.test.ts", ms: 39_000 }])).toEqual([]);
});
