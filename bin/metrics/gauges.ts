import { statfs } from "node:fs/promises";
import { collectDefaultMetrics, Counter, Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { countWaiting } from "#lib/api/commit/procedures.ts";
import { THIS_PROCESS } from "#lib/base/this-process.ts";
import { toLastSkewMs } from "#lib/operator/clock-skew.ts";
import { toLastLags } from "#lib/operator/retention.ts";
import type { PagesFigures } from "../pages-process.ts";
import type { PoolLoad } from "#db/pool-load.ts";

/** The state of the process, read at each scrape. Each function adds metrics to a registry. */

/** Processor time, memory, file descriptors, garbage collection, and the delay of the event loop. */
export function showProcess(
  registry: Registry,
  given: { process: "server" | "worker"; environment: string },
): void {
  collectDefaultMetrics({ register: registry });
  const labels = { ...given, version: THIS_PROCESS.version };
  new Gauge({
    name: "floatdeck_info",
    help: "Always 1; the labels describe the process.",
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}

/** How many requests wait for a commit. */
export function showCommitQueues(registry: Registry): void {
  const waiting = new Gauge({
    name: "floatdeck_commit_queue_waiting",
    help: "Requests that wait for the batch before theirs.",
    labelNames: ["queue"],
    registers: [registry],
    collect: () => {
      for (const each of countWaiting()) {
        waiting.set({ queue: each.queue }, each.waiting);
      }
    },
  });
}

/** Connections in use, callers waiting for one, and round trips to the database, by pool. */
export function showPools(
  registry: Registry,
  read: () => Readonly<Record<string, PoolLoad>>,
): void {
  const registers = [registry];
  const connections = new Gauge({
    name: "floatdeck_pool_connections",
    help: "Connections to the database.",
    labelNames: ["pool", "state"],
    registers,
    collect: () => {
      for (const [pool, { inUse, idle }] of Object.entries(read())) {
        connections.set({ pool, state: "in_use" }, inUse);
        connections.set({ pool, state: "idle" }, idle);
      }
    },
  });
  const waiting = new Gauge({
    name: "floatdeck_pool_waiting",
    help: "Statements and reads that wait for a connection.",
    labelNames: ["pool"],
    registers,
    collect: () => {
      for (const [pool, load] of Object.entries(read())) {
        waiting.set({ pool }, load.waiting);
      }
    },
  });
  const roundTrips = new Counter({
    name: "floatdeck_database_round_trips_total",
    help: "How often a connection waited for an answer of the database; statements sent together wait once.",
    labelNames: ["pool"],
    registers,
    collect: () => {
      roundTrips.reset();
      for (const [pool, load] of Object.entries(read())) {
        roundTrips.inc({ pool }, load.roundTrips);
      }
    },
  });
}

/** What a server watches in the background: its clock, and the rows that it removes. */
export function showChores(registry: Registry): void {
  const registers = [registry];
  const skew: Gauge = new Gauge({
    name: "floatdeck_clock_skew_seconds",
    help: "How far this server's clock is ahead of the database's; negative when it is behind.",
    registers,
    collect: (): void => skew.set(toLastSkewMs() / 1_000),
  });
  const lag = new Gauge({
    name: "floatdeck_retention_lag_seconds",
    help: "For how long the oldest expired row of a table should have been gone.",
    labelNames: ["table"],
    registers,
    collect: () => {
      for (const { table, seconds } of toLastLags()) {
        lag.set({ table }, seconds);
      }
    },
  });
}

/** The free space on the disk of the embedded PostgreSQL, which is on this machine. */
export function showDisk(registry: Registry, dataPlace: string): void {
  const free: Gauge = new Gauge({
    name: "floatdeck_disk_free_bytes",
    help: "What may still be written to the disk of the embedded PostgreSQL.",
    registers: [registry],
    collect: async (): Promise<void> => {
      const { bavail, bsize } = await statfs(dataPlace);
      free.set(bavail * bsize);
    },
  });
}

/** The state of the process that serves pages. */
export interface PagesState {
  isAnswering(): boolean;
  readUsage(): PagesFigures;
  /** Whether pages wait for an allowance of processor time, because the API is busy. */
  isLimited(): boolean;
}

/** Whether the process that serves pages answers, and is limited; what it uses, and how often it was restarted. */
export function showPages(registry: Registry, pages: PagesState): void {
  const registers = [registry];
  const up: Gauge = new Gauge({
    name: "floatdeck_pages_up",
    help: "1 while the process that serves pages answers.",
    registers,
    collect: (): void => up.set(pages.isAnswering() ? 1 : 0),
  });
  const limited: Gauge = new Gauge({
    name: "floatdeck_pages_limited",
    help: "1 while the API is busy and pages may take an eighth of the processors.",
    registers,
    collect: (): void => limited.set(pages.isLimited() ? 1 : 0),
  });
  const memory: Gauge = new Gauge({
    name: "floatdeck_pages_memory_bytes",
    help: "Resident memory of the process that serves pages.",
    registers,
    collect: (): void => {
      const { memoryBytes } = pages.readUsage();
      // Resetting it would show 0.
      memory.remove();
      if (memoryBytes !== null) {
        memory.set(memoryBytes);
      }
    },
  });
  const cpu: Counter = new Counter({
    name: "floatdeck_pages_cpu_seconds_total",
    help: "Processor time of the process that serves pages, before its restarts too.",
    registers,
    collect: (): void => {
      cpu.reset();
      cpu.inc(pages.readUsage().cpuSeconds);
    },
  });
  const restarts: Counter = new Counter({
    name: "floatdeck_pages_restarts_total",
    help: "How often the process that serves pages was restarted because it had ended.",
    registers,
    collect: (): void => {
      restarts.reset();
      restarts.inc(pages.readUsage().restarts);
    },
  });
}
