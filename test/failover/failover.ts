import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toBundle } from "../../bin/bundle.mjs";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { stretch } from "#test/run/calibration.ts";
import { countEffects } from "#test/torture/checker.ts";
import type { History } from "#test/torture/history.ts";
import { isAcknowledged } from "#test/torture/history.ts";
import { startMembers } from "#test/torture/members.ts";
import type { Members } from "#test/torture/members.ts";
import { workDuring } from "#test/torture/work-during.ts";
import type { Disturbance } from "./disturbances.ts";
import { findLongestGap, isAcknowledgedChange } from "./gaps.ts";
import type { PatroniNode, Replication } from "./node.ts";
import { startPatroni } from "./patroni.ts";
import type { PatroniCluster } from "./patroni.ts";

/** Two customers who know one server each, and one who knows both. */
const CUSTOMERS = [[0], [1], [0, 1]];
/** Changes that are acknowledged before anything else happens. */
const STEADY_CHANGES = 60;
const POLL_MS = 50;
const FAILOVER_TIMEOUT_MS = 90_000;

/** One thing that happened to the cluster, and how long it was felt. */
export interface Round {
  name: string;
  primary: string;
  /** The longest time without an acknowledged change. Milliseconds. */
  gapMs: number;
  /** Until the other node was the standby again. Milliseconds. */
  standbyMs: number;
}

/** What a run found. */
export interface FailoverReport {
  rounds: Round[];
  requests: number;
  acknowledged: number;
  repeats: number;
  delivered: number;
  /** Acknowledged changes that are not there. */
  lost: number;
  /** Changes beyond one for each acknowledged request. */
  twice: number;
  /** The broken guarantees; none when all of them held. */
  violations: string[];
}

/** A round while the run goes on: its gap is known once the next one has begun. */
type OpenRound = Omit<Round, "gapMs"> & { from: number };

interface Run {
  dir: string;
  disturbances: readonly Disturbance[];
  seed: number;
  say(text: string): void;
}

/**
 * Lets customers work on two servers and a worker while one thing after another happens to the database's nodes. Neither
 * the servers nor the worker are restarted. Between two rounds, it waits until commits wait for a standby again.
 */
export async function failOver({
  replication,
  ...run
}: Omit<Run, "dir"> & { replication: Replication }): Promise<FailoverReport> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-failover-"));
  chmodSync(dir, 0o755);
  const cluster = await startPatroni(dir, replication);
  const report = await disturbCluster(cluster, { ...run, dir }).finally(cluster.stop);
  // After a failed run, the logs stay.
  rmSync(dir, { recursive: true, force: true });
  return report;
}

async function disturbCluster(cluster: PatroniCluster, run: Run): Promise<FailoverReport> {
  const program = [toBundle("start.ts"), "--empty", "--api-only"];
  const members = await startMembers(run.dir, cluster, { servers: 2, workers: 1, program });
  try {
    return await disturb({ ...members, ...cluster }, run);
  } finally {
    members.kill();
  }
}

async function disturb(place: Members & PatroniCluster, run: Run): Promise<FailoverReport> {
  const rounds: OpenRound[] = [];
  const workload = { seed: run.seed, customers: CUSTOMERS };
  const { history, violations } = await workDuring(place, workload, async (seen) => {
    for (const disturbance of run.disturbances) {
      await untilSteady(seen);
      const round = await runRound(place, disturbance, seen);
      rounds.push(round);
      run.say(`${rounds.length}. ${round.name}: ${round.primary}`);
    }
    await untilSteady(seen);
  });
  return {
    rounds: rounds.map(({ from, ...round }, index) => ({
      ...round,
      gapMs: findLongestGap(history, { from, to: rounds[index + 1]?.from ?? performance.now() }),
    })),
    requests: history.requests.length,
    acknowledged: history.requests.filter(isAcknowledged).length,
    repeats: history.requests.reduce((sum, { setbacks }) => sum + setbacks.length, 0),
    delivered: history.delivered.size,
    ...(await countEffects(history, place.ownerUrl)),
    violations: [...findExits(place), ...violations, ...(await sweep(place.ownerUrl))],
  };
}

async function runRound(
  place: Members & PatroniCluster,
  disturbance: Disturbance,
  seen: History,
): Promise<OpenRound> {
  const before = await requirePrimary(place);
  const node = disturbance.hits === "standby" ? place.other(before) : before;
  const from = performance.now();
  await disturbance.inject(place, node);
  const after = await until(async () => {
    const primary = await place.findPrimary();
    return primary === place.other(node) ? primary : undefined;
  });
  await untilSteady(seen);
  disturbance.repair(node);
  await place.untilReplicated();
  const primary = before === after ? before.name : `${before.name} to ${after.name}`;
  return { name: disturbance.name, primary, from, standbyMs: performance.now() - from };
}

async function requirePrimary(place: PatroniCluster): Promise<PatroniNode> {
  const primary = await place.findPrimary();
  if (!primary) {
    throw new Error("Patroni has no primary.");
  }
  return primary;
}

/** Resolves once each customer's changes are acknowledged again. */
async function untilSteady({ requests, integratorIds }: History): Promise<void> {
  const { length } = requests;
  await until(async () => {
    const since = requests.slice(length).filter(isAcknowledgedChange);
    const isSteady = integratorIds.every(
      (id) => since.filter((each) => each.integratorId === id).length > STEADY_CHANGES,
    );
    return isSteady ? true : undefined;
  });
}

async function until<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = performance.now() + stretch(FAILOVER_TIMEOUT_MS);
  while (performance.now() < deadline) {
    const result = await read();
    if (result !== undefined) {
      return result;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The cluster was not back after ${stretch(FAILOVER_TIMEOUT_MS)} ms.`);
}

/** Servers and workers have to outlive their database's nodes. */
function findExits({ servers, workers }: Members): string[] {
  return [...servers, ...workers]
    .filter(({ exits }) => exits > 0)
    .map(
      ({ baseUrl, exits }) =>
        `no process ends: ${baseUrl || "the worker"} had to be started again ${exits} times`,
    );
}

async function sweep(ownerUrl: string): Promise<string[]> {
  const opened = openDatabase(ownerUrl, { max: 2 });
  try {
    const found = await verifyBooks(opened.db);
    return found.map((each) => `the books balance: ${JSON.stringify(each)}`);
  } finally {
    await opened.close();
  }
}
