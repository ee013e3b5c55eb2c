import { expect, test } from "vitest";
import { torture } from "#test/torture/torture.ts";
import { toBundle } from "../../bin/bundle.mjs";

const SEED = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Each kind of fault occurs about once. The long form is `npm run torture`. */
const DURATION_MS = 30_000;
const PROGRAMS = 4;
const PROGRAM = [toBundle("start.ts"), "--empty", "--api-only"];

test(`torture, the short form: every guarantee holds (seed ${SEED})`, async () => {
  const outcome = await torture(
    { seed: SEED, durationMs: DURATION_MS, programs: PROGRAMS, program: PROGRAM },
    (line) => {
      process.stdout.write(`${line}\n`);
    },
  );
  process.stdout.write(
    `${outcome.requests} requests, ${outcome.acknowledged} acknowledged, ${outcome.repeats} repeats, ${outcome.delivered} delivered\n`,
  );
  expect(outcome.violations).toEqual([]);
  expect(outcome.faults.length).toBeGreaterThan(5);
  expect(outcome.acknowledged).toBeGreaterThan(100);
});
