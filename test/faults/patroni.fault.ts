import { expect, test } from "vitest";
import { FAILOVERS } from "#test/failover/disturbances.ts";
import { failOver } from "#test/failover/failover.ts";
import { canStartPatroni } from "#test/failover/patroni.ts";
import { stretch } from "#test/run/calibration.ts";

const SEED = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const GAP_MAX_MS = 30_000;

/** The long form is `npm run test:failover`. */
test.skipIf(!canStartPatroni())(
  `Patroni replaces a killed primary, and exchanges the two nodes: nothing lost, nothing twice (seed ${SEED})`,
  async () => {
    const { rounds, ...outcome } = await failOver({
      replication: "synchronous",
      disturbances: FAILOVERS.slice(0, 2),
      seed: SEED,
      say: (line) => void process.stdout.write(`${line}\n`),
    });
    process.stdout.write(`${JSON.stringify(rounds)}\n`);
    expect(outcome).toMatchObject({ lost: 0, twice: 0, violations: [] });
    expect(rounds.map(({ gapMs }) => gapMs < stretch(GAP_MAX_MS))).toEqual([true, true]);
  },
);
