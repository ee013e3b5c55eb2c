import { expect, test } from "vitest";
import { FAILOVERS } from "#test/failover/disturbances.ts";
import { failOver } from "#test/failover/failover.ts";
import { findMissingPackages } from "#test/failover/patroni.ts";

const SEED = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const GAP_MAX_MS = 30_000;
const missing = findMissingPackages();

/** The long form is `npm run test:failover`. */
test.skipIf(missing)(
  `Patroni replaces a killed primary, and exchanges the two nodes: nothing lost, nothing twice${
    missing ? ` (needs Debian's packages ${missing})` : ` (seed ${SEED})`
  }`,
  async () => {
    const { rounds, ...outcome } = await failOver({
      replication: "synchronous",
      disturbances: FAILOVERS.slice(0, 2),
      seed: SEED,
      say: (line) => void process.stdout.write(`${line}\n`),
    });
    process.stdout.write(`${JSON.stringify(rounds)}\n`);
    expect(outcome).toMatchObject({ lost: 0, twice: 0, violations: [] });
    expect(rounds.map(({ gapMs }) => gapMs < GAP_MAX_MS)).toEqual([true, true]);
  },
);
