import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { anyControls, anyStep, anyZone } from "#test/limits/limits-steps.ts";
import { expectAgreement, openWorld } from "#test/limits/limits-world.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";

const RUNS = 40;
const STEPS_MAX = 30;
/** Shrinking a failure can take long. After this time the failure is reported as it is. */
const TIME_MAX_MS = 120_000;

test("whatever happens to a card, what is used of its limits, when they start anew, and each decision agree with a model", async () => {
  let agreed = 0;
  const property = fc.asyncProperty(
    anyControls,
    anyZone,
    fc.array(anyStep, { minLength: 10, maxLength: STEPS_MAX, size: "max" }),
    async (controls, zone, steps) => {
      const world = await openWorld(controls, zone);
      for (const step of steps) {
        await step(world);
        await expectAgreement(world);
        agreed += 1;
      }
    },
  );
  await fc.assert(property, {
    numRuns: RUNS,
    interruptAfterTimeLimit: TIME_MAX_MS,
    markInterruptAsFailure: true,
  });
  expect(agreed).toBeGreaterThanOrEqual(RUNS * 10);
  expect(await verifyBooks(testDatabase().db)).toEqual([]);
}, 300_000);
