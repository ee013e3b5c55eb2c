import { expect, test } from "vitest";
import { RED_SEEDS } from "#test/torture/red-seeds.ts";
import { torture } from "#test/torture/torture.ts";
import { toBundle } from "../../bin/bundle.mjs";

const SEED = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Each kind of fault occurs about twice. The long form is `npm run torture`. */
const SECONDS = 60;
const PROGRAMS = 4;
const PROGRAM = [toBundle("start.ts"), "--empty", "--api-only"];

async function run(seed: number, seconds: number) {
  const outcome = await torture(
    { seed, durationMs: seconds * 1_000, programs: PROGRAMS, program: PROGRAM },
    (line) => {
      process.stdout.write(`${line}\n`);
    },
  );
  process.stdout.write(
    `${outcome.requests} requests, ${outcome.acknowledged} acknowledged, ${outcome.repeats} repeats, ${outcome.delivered} delivered\n`,
  );
  return outcome;
}

test(`torture, the short form: every guarantee holds (seed ${SEED}; if it is red, add it to test/torture/red-seeds.ts)`, async () => {
  const outcome = await run(SEED, SECONDS);
  expect(outcome.violations).toEqual([]);
  expect(outcome.faults.length).toBeGreaterThan(5);
  expect(outcome.acknowledged).toBeGreaterThan(100);
});

for (const { seed, seconds, found } of RED_SEEDS) {
  test(`torture with seed ${seed}, which found: ${found}`, async () => {
    const { violations } = await run(seed, seconds);
    expect(violations).toEqual([]);
  });
}
