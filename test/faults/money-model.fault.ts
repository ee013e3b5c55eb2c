import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyAct } from "#test/money/money-acts.ts";
import { Life } from "#test/money/money-life.ts";
import { times } from "./length.ts";
import { rig, useRig } from "./each-rig.ts";
import { useServedWorld, world } from "./served-world.ts";

/** As lib/purchases/money-model.test.ts, over two servers: each request of a life goes to one or the other. */

const STEPS = times({ short: 3_000, long: 1_000_000 });
const STEPS_OF_LIFE = 200;
const SIDE_BY_SIDE = 16;
/** The long run takes hours, and says how far it is. */
const LIVES_PER_LINE = 100;
/** This only ends a run that hangs. */
const TIME_MAX_MS = times({ short: 300_000, long: 12 * 3_600_000 });
const SEED = Number(process.env["MODEL_SEED"] ?? Date.now());

useRig({ environment: { TRUSTED_PROXIES: "1" } });
useServedWorld(SIDE_BY_SIDE);

test(
  `${STEPS} actions on money and cards over two servers, with any repeats, match the model`,
  async () => {
    let lives = 0;
    let steps = 0;
    let lived = 0;
    const live = async () => {
      while (steps < STEPS) {
        const seed = SEED + lives;
        lives += 1;
        steps += STEPS_OF_LIFE;
        await liveOnce(seed);
        lived += 1;
        if (lived % LIVES_PER_LINE === 0) {
          process.stdout.write(`${lived * STEPS_OF_LIFE} of ${STEPS} actions match the model.\n`);
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, live));
    expect(await rig.sweep()).toEqual([]);
  },
  TIME_MAX_MS,
);

/** @throws Error naming the seed and the step, with which the life can be repeated: set MODEL_SEED. */
async function liveOnce(seed: number): Promise<void> {
  const life = await Life.begin(world);
  const acts = fc.sample(fc.tuple(anyAct, fc.boolean()), { seed, numRuns: STEPS_OF_LIFE });
  for (const [at, [act, repeated]] of acts.entries()) {
    try {
      await life.live(act, repeated);
    } catch (cause) {
      throw new Error(`The life of seed ${seed} differs from the model at step ${at}.`, { cause });
    }
  }
}
