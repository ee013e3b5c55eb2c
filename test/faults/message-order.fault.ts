import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyMessageSet, playAtOnce, toHeld, toSpent } from "#test/money/message-set.ts";
import { times } from "./length.ts";
import { rig, useRig } from "./each-rig.ts";
import { useServedWorld, world } from "./served-world.ts";

/** As lib/purchases/message-order.test.ts, over two servers: the messages of a set arrive at once, at one or the other. */

const SETS = times({ short: 200, long: 10_000 });
const SIDE_BY_SIDE = 8;
const TIME_MAX_MS = times({ short: 300_000, long: 12 * 3_600_000 });
/** A failure can be repeated with its seed. */
const SEED = Number(process.env["MESSAGE_SEED"] ?? Date.now());

useRig({ environment: { TRUSTED_PROXIES: "1" } });
useServedWorld(SIDE_BY_SIDE);

test(
  `${SETS} sets of messages that arrive at once on two servers spend and hold what they say (seed ${SEED})`,
  async () => {
    const sets = fc.sample(anyMessageSet, { seed: SEED, numRuns: SETS }).entries();
    const playSets = async () => {
      for (const [at, set] of sets) {
        const { answers, balance, held, float, deficit } = await playAtOnce(world, set);
        const money = set.card.balance + set.float - toSpent(set);
        expect({ at, set, money: balance + float - deficit }).toEqual({ at, set, money });
        expect({ at, set, held }).toEqual({ at, set, held: toHeld(set, answers) ?? held });
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, playSets));
    expect(await rig.sweep()).toEqual([]);
  },
  TIME_MAX_MS,
);
