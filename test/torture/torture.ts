import { setTimeout as sleep } from "node:timers/promises";
import { Administrator } from "./administrator.ts";
import { checkHistory } from "./checker.ts";
import { Collector } from "./collector.ts";
import { startCluster } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { Customer } from "./customer.ts";
import { AdminClient } from "./admin-client.ts";
import { inflict } from "./faults.ts";
import { PausableWorkload } from "./pausable-workload.ts";
import { findGrowth, readSizes } from "./growth.ts";
import type { Growth } from "./growth.ts";
import { isAcknowledged, newHistory } from "./history.ts";
import type { History } from "./history.ts";
import { watchMemory } from "./memory-watch.ts";
import { findGrowingMemory } from "./memory.ts";
import type { MemorySample } from "./memory.ts";
import { findNeverAcknowledged } from "./operations.ts";
import { passMonth, toMonthMs, waitUntilRemoved } from "./months.ts";
import { findCrashes, waitUntilDelivered } from "./end-of-run.ts";
import { toSchedule } from "./schedule.ts";
import type { Fault } from "./schedule.ts";
import { readTotals } from "./totals.ts";
import { Visitor } from "./visitor.ts";

const CUSTOMERS = 3;
const SETTLE_MS = 2_000;
/** After this, caches and connections are what they are for the rest of the run. */
const WARM_UP_MS = 60_000;
/** There are faults in this part of each month; the rest of it is load, which writes more rows. */
const DISTURBED = 0.5;

/** What is to be run: `program` is how a server is started, with its pages or without. */
export interface Run {
  seed: number;
  durationMs: number;
  /** How many requests each customer sends at a time. */
  programs: number;
  program: readonly string[];
  /** Fills the database before the run begins. */
  fill?: (database: { appUrl: string; ownerUrl: string }) => Promise<void>;
}

/** What a run found. */
export interface TortureReport {
  requests: number;
  acknowledged: number;
  repeats: number;
  delivered: number;
  pages: number;
  /** The operations that torture sends and of which no request was acknowledged. */
  neverAcknowledged: string[];
  faults: string[];
  growth: Growth;
  memory: MemorySample[];
  /** The broken guarantees; none when all of them held. */
  violations: string[];
}

/** Everything that a run consists of. */
interface Scene {
  cluster: Cluster;
  customers: Customer[];
  administrators: Administrator[];
  visitors: Visitor[];
  collector: Collector;
  history: History;
  workload: PausableWorkload;
  growth: Growth;
  say(text: string): void;
}

/**
 * Lets customers work on three servers and two workers while processes are killed and frozen, connections cut, the disk
 * filled, and clocks advanced, and then compares what they saw with what is there. The seed decides the schedule and what
 * each customer does; only how fast each of them is differs between runs.
 */
export async function torture(run: Run, say: (text: string) => void): Promise<TortureReport> {
  const collector = await Collector.start();
  const cluster = await startCluster(run.program);
  try {
    await run.fill?.(cluster);
    const scene = await prepare(cluster, { run, collector, say });
    const memory: MemorySample[] = [];
    const faults = await workUnderFaults(scene, run, memory);
    await cluster.ready();
    await settle(scene);
    const { history, growth, visitors } = scene;
    growth.leftOver.push(...(await waitUntilRemoved(cluster)));
    growth.last = await readSizes(cluster.ownerUrl);
    history.badSignatures = collector.findBadSignatures();
    const acknowledged = history.requests.filter(isAcknowledged);
    return {
      requests: history.requests.length,
      acknowledged: acknowledged.length,
      repeats: history.requests.reduce((sum, { setbacks }) => sum + setbacks.length, 0),
      delivered: history.delivered.size,
      pages: visitors.reduce((sum, { pages }) => sum + pages, 0),
      neverAcknowledged: findNeverAcknowledged(
        new Set(acknowledged.map(({ operation }) => operation)),
      ),
      faults,
      growth,
      memory,
      violations: [
        ...findCrashes(cluster),
        ...(await checkHistory(history, cluster.ownerUrl)),
        ...findGrowth(growth).map((line) => `tables do not grow without bound: ${line}`),
        ...findGrowingMemory(memory).map((line) => `memory does not grow: ${line}`),
      ],
    };
  } finally {
    await cluster.stop();
    await collector.stop();
  }
}

/** After the workload has stopped: waits until every webhook is delivered. */
async function settle({ cluster, administrators }: Scene): Promise<void> {
  await Promise.all(administrators.map((administrator) => administrator.settle()));
  await waitUntilDelivered(cluster);
}

async function prepare(
  cluster: Cluster,
  {
    run: { seed, program },
    collector,
    say,
  }: { run: Run; collector: Collector; say: (text: string) => void },
): Promise<Scene> {
  const history = newHistory(collector.delivered);
  const baseUrls = cluster.servers.map(({ baseUrl }) => baseUrl);
  const place = { baseUrls, processorKey: cluster.processorKey, webhookUrl: collector.url };
  const customers: Customer[] = [];
  for (let number = 1; number <= CUSTOMERS; number += 1) {
    customers.push(await Customer.create(place, { seed: seed + number, history }));
  }
  history.integratorIds = customers.map(({ integratorId }) => integratorId);
  const { ownerUrl } = cluster;
  const administrators = customers.map((customer, index) => {
    const client = new AdminClient(customer, { servers: baseUrls, ownerUrl, collector });
    return new Administrator(client, index === 0);
  });
  await Promise.all(administrators.map((administrator) => administrator.prepare()));
  say(`${CUSTOMERS} customers on ${baseUrls.length} servers; seed ${seed}`);
  const hasPages = !program.includes("--api-only");
  const visitors = hasPages
    ? customers.map(({ email }, index) => new Visitor(email, baseUrls[index] ?? "", seed + index))
    : [];
  const growth: Growth = { first: new Map(), full: [], leftOver: [], last: new Map() };
  const workload = new PausableWorkload();
  return {
    cluster,
    customers,
    administrators,
    visitors,
    collector,
    history,
    workload,
    growth,
    say,
  };
}

/** @returns the faults, as they were told. */
async function workUnderFaults(
  scene: Scene,
  { seed, durationMs, programs }: Run,
  memory: MemorySample[],
): Promise<string[]> {
  const { cluster, customers, administrators, visitors, history, workload } = scene;
  let isOver = false;
  const until = () => isOver;
  const watch = watchMemory(cluster, { afterMs: WARM_UP_MS, into: memory, say: scene.say });
  const working = [
    ...customers.flatMap((customer) =>
      Array.from({ length: programs }, () => customer.work(until, workload)),
    ),
    ...administrators.map((administrator) => administrator.work(until, workload)),
    ...visitors.map((visitor) => visitor.visit(until, workload)),
    readTotals(cluster, history, until),
  ];
  void readSizesAfter(WARM_UP_MS, scene);
  const faults = await inflictAll(scene, { seed, durationMs });
  watch.stop();
  isOver = true;
  await Promise.all(working);
  return faults;
}

/** Unless the run is shorter than that, or the database is down at that moment. */
async function readSizesAfter(ms: number, { cluster, growth }: Scene): Promise<void> {
  await sleep(ms, undefined, { ref: false });
  growth.first = await readSizes(cluster.ownerUrl).catch(() => growth.first);
}

/** Lets the faults happen, and, between them, the months pass. */
async function inflictAll(
  scene: Scene,
  { seed, durationMs }: { seed: number; durationMs: number },
): Promise<string[]> {
  const startedAt = performance.now();
  const told: string[] = [];
  const monthMs = toMonthMs(durationMs) ?? durationMs;
  let restedMs = 0;
  const until = (atMs: number) =>
    sleep(Math.max(0, startedAt + restedMs + atMs - performance.now()));
  for (const [month, faults] of toMonths(toSchedule(seed, durationMs), monthMs)) {
    for (const fault of faults) {
      await until(fault.atMs);
      told.push(await inflictTold(scene, fault));
    }
    // What the last fault interrupted goes on for a moment.
    await sleep(SETTLE_MS);
    await until((month + 1) * monthMs);
    if (monthMs < durationMs) {
      const begun = performance.now();
      await passMonth(scene.cluster, {
        ...scene,
        requests: scene.history.requests.length,
        settle: () => settle(scene),
      });
      restedMs += performance.now() - begun;
      scene.say(`a month has passed, the ${month + 1}.`);
    }
  }
  return told;
}

/** The faults of each month; in a run without months, of the whole run. */
function toMonths(schedule: readonly Fault[], monthMs: number): Map<number, Fault[]> {
  const months = Map.groupBy(schedule, ({ atMs }) => Math.floor(atMs / monthMs));
  return new Map(
    [...months].map(([month, faults]) => [
      month,
      months.size === 1
        ? faults
        : faults.filter(({ atMs }) => atMs % monthMs < monthMs * DISTURBED),
    ]),
  );
}

async function inflictTold({ cluster, customers, say }: Scene, fault: Fault): Promise<string> {
  const told = `${(fault.atMs / 1_000).toFixed(1)} s: ${fault.kind} ${fault.number}, ${fault.lastsMs} ms`;
  say(told);
  await inflict(cluster, fault, async () => {
    await Promise.all(customers.map((customer) => customer.jump()));
  });
  return told;
}
