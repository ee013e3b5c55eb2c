import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newProcessorKey } from "#db/testing/fixtures.ts";
import { anyAct } from "#db/testing/money-acts.ts";
import { Life } from "#db/testing/money-life.ts";

/** Random lives of an integrator over the API, each act perhaps repeated, compared with a model after every act. */

const RUNS = 104;
/** Lives that go on at the same time, each with an integrator of its own. */
const SIDE_BY_SIDE = 4;
const ACTS_MAX = 25;
/** Making a failure small may take long; by then it is told as it is. */
const TIME_MAX_MS = 120_000;

const steps = fc.array(fc.tuple(anyAct, fc.boolean()), {
  minLength: 1,
  maxLength: ACTS_MAX,
  size: "max",
});

test("whatever is done to money and cards, in whatever order and however often, is what the model says", async () => {
  const processorKey = await newProcessorKey();
  let lived = 0;
  const property = fc.asyncProperty(steps, async (acts) => {
    const life = await Life.begin(processorKey);
    for (const [act, repeated] of acts) {
      await life.live(act, repeated);
    }
    lived += 1;
  });
  // A failure names its seed and path: fc.assert(property, { seed, path }) repeats it.
  await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, () =>
      fc.assert(property, {
        numRuns: RUNS / SIDE_BY_SIDE,
        interruptAfterTimeLimit: TIME_MAX_MS,
        markInterruptAsFailure: true,
      }),
    ),
  );
  expect(lived).toBe(RUNS);
}, 300_000);
