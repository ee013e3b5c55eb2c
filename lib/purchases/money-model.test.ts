import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyAct } from "#test/money/money-acts.ts";
import { openLocalWorld } from "#test/money/local-world.ts";
import { Life } from "#test/money/money-life.ts";

/** Runs random lives of integrators over the API, repeating some actions, and compares each action's result with a model. */

const RUNS = 104;
/** The number of lives that run at the same time, each with its own integrator. */
const SIDE_BY_SIDE = 4;
const ACTS_MAX = 25;
/** Shrinking a failure can take long. After this time the failure is reported as it is. */
const TIME_MAX_MS = 120_000;

const steps = fc.array(fc.tuple(anyAct, fc.boolean()), {
  minLength: 1,
  maxLength: ACTS_MAX,
  size: "max",
});

test("any sequence of actions on money and cards, with any repeats, matches the model", async () => {
  const world = await openLocalWorld();
  let completed = 0;
  const property = fc.asyncProperty(steps, async (acts) => {
    const life = await Life.begin(world);
    for (const [act, repeated] of acts) {
      await life.live(act, repeated);
    }
    completed += 1;
  });
  // A failure names its seed and path. fc.assert(property, { seed, path }) reproduces it.
  await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, () =>
      fc.assert(property, {
        numRuns: RUNS / SIDE_BY_SIDE,
        interruptAfterTimeLimit: TIME_MAX_MS,
        markInterruptAsFailure: true,
      }),
    ),
  );
  expect(completed).toBe(RUNS);
}, 300_000);
