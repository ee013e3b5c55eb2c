import { FAILOVERS, STANDBY_HANGS, STANDBY_LAGS } from "#test/failover/disturbances.ts";
import { failOver } from "#test/failover/failover.ts";
import type { FailoverReport, Round } from "#test/failover/failover.ts";
import { canStartPatroni } from "#test/failover/patroni.ts";
import { readArguments } from "./script-arguments.ts";
import { say } from "./steps.ts";

/** Replaces the primary of a Patroni cluster again and again under load, and checks that no cent was lost. */

const GAP_MAX_MS = 30_000;

const { values } = readArguments({
  usage: "npm run test:failover -- [options]",
  summary: "Replace the primary of a Patroni cluster under load, and check that no cent is lost",
  options: {
    asynchronous: {
      type: "boolean",
      default: false,
      about: "replicate asynchronously, to see the check find what is lost",
    },
    failovers: { type: "string", default: "10", about: "how many times" },
    seed: {
      type: "string",
      default: String(Math.floor(Math.random() * 2 ** 31)),
      about: "repeats the schedule of a run",
    },
  },
});
const [failovers, seed] = [Number(values.failovers), Number(values.seed)];
if (!Number.isSafeInteger(failovers) || failovers < 1 || !Number.isSafeInteger(seed)) {
  say("--failovers must be a positive whole number, and --seed a whole number.");
  process.exit(2);
}
if (!canStartPatroni()) {
  process.exit(0);
}
// An exit ends the cluster as well.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
const report = await (values.asynchronous ? loseChanges() : failOverAgainAndAgain());
const { rounds, requests, acknowledged, repeats, delivered, lost, twice } = report;
showTable(rounds);
say(
  `${requests} requests, ${acknowledged} acknowledged, ${repeats} repeats; ${delivered} events delivered`,
);
say(`acknowledged and lost: ${lost}; applied twice: ${twice}`);
const late = rounds
  .filter(({ gapMs }) => gapMs > GAP_MAX_MS)
  .map(({ name, gapMs }) => `back within 30 s: ${name} took ${toSeconds(gapMs)}`);
const violations = [...report.violations, ...late];
for (const violation of violations) {
  say(`BROKEN: ${violation}`);
}
if (values.asynchronous) {
  say(lost > 0 ? "The checker found what was lost." : "THE CHECKER FOUND NOTHING.");
  process.exit(lost > 0 ? 0 : 1);
}
say(violations.length === 0 ? "Every guarantee held." : "Guarantees were broken.");
process.exit(violations.length === 0 ? 0 : 1);

async function failOverAgainAndAgain(): Promise<FailoverReport> {
  const disturbances = Array.from(
    { length: failovers },
    (_, number) => FAILOVERS[number % FAILOVERS.length],
  ).filter((each) => each !== undefined);
  say(`${failovers} failovers of two nodes under two servers and a worker; seed ${seed}`);
  const replication = "synchronous";
  return failOver({ replication, disturbances: [...disturbances, STANDBY_HANGS], seed, say });
}

/** To see the checker find something: a standby that commits do not wait for. */
async function loseChanges(): Promise<FailoverReport> {
  say(`One failover without synchronous replication; seed ${seed}`);
  return failOver({ replication: "asynchronous", disturbances: [STANDBY_LAGS], seed, say });
}

function showTable(shown: readonly Round[]): void {
  const rows = shown.map(({ name, primary, gapMs, standbyMs }, index) => [
    String(index + 1),
    name,
    primary,
    toSeconds(gapMs),
    toSeconds(standbyMs),
  ]);
  const lines = [["#", "what happened", "primary", "longest gap", "standby again"], ...rows];
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      cell.padEnd(Math.max(...lines.map((each) => each[column]?.length ?? 0))),
    );
    say(cells.join("  ").trimEnd());
  }
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
