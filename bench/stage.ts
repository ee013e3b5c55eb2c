import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { findFreePort } from "#db/postmaster.ts";

/** A running server, and its resource usage. */
export interface Served {
  port: number;
  /** From launch to the first response. */
  startedInMs: number;
  /**
   * Processor time so far and current memory (PSS: shared pages count once) of the process and its children, without
   * PostgreSQL.
   */
  cpuSeconds(): number;
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** A new database with fsync and synchronous_commit on, and a temporary directory. `destroy` removes both. */
export interface Stage {
  database: EmbeddedDatabase;
  dir: string;
  destroy(): Promise<void>;
}

/** This checkout. */
export const ROOT = path.join(import.meta.dirname, "..");
const READY_TIMEOUT_MS = 90_000;
/** The unit of processor times in /proc. */
const TICKS_PER_SECOND = 100;
/** Where `/proc/<pid>/stat` has the processor time of a process, and that of its children that have ended. */
const OWN = [11, 12] as const;
const ENDED = [13, 14] as const;

export async function setStage(): Promise<Stage> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-bench-"));
  chmodSync(dir, 0o755);
  const database = await startEmbedded(dir);
  await migrate(database.ownerUrl, database.appRole);
  return {
    database,
    dir,
    destroy: async () => {
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the product as `npm start` does and waits until its pages are ready. Each server on the database has a name and
 * a data directory of that name.
 */
export async function serveProduct(
  stage: Stage,
  name: string,
  own: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const environment = { ...toEnvironment(stage), DATA_DIR: path.join(stage.dir, name), ...own };
  const served = await serve(["bin/run.mjs", "start.ts"], environment);
  await waitUntil(() => answers(served.port, "/sign-in"), "The pages did not start.");
  return served;
}

/** Serves the same route files with `next start`. The preloaded module opens the pool, because Next.js does not. */
export function serveNext(stage: Stage): Promise<Served> {
  return serve(
    ["--import=./bench/open-database.ts", "node_modules/next/dist/bin/next", "start"],
    toEnvironment(stage),
  );
}

/** Serves an empty node:http handler, to measure the cost of HTTP alone. */
export function serveNothing(): Promise<Served> {
  return serve(["bench/empty-server.ts"], {});
}

/** Runs `npm start` of a checkout on an empty data directory, until it responds. */
export function startFresh(dir: string, checkout = ROOT): Promise<Served> {
  return serve(["start"], { DATA_DIR: dir }, { command: "npm", cwd: checkout });
}

function toEnvironment(stage: Stage): Record<string, string> {
  return {
    DATABASE_URL: stage.database.localUrl,
    DATABASE_MIGRATION_URL: stage.database.ownerUrl,
    FLOATDECK_SECRET: "a secret for nothing but this benchmark",
    FLOATDECK_ENV: "sandbox",
    NODE_ENV: "production",
  };
}

async function serve(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { command, cwd } = { command: process.execPath, cwd: ROOT },
): Promise<Served> {
  const port = await findFreePort();
  const launchedAt = performance.now();
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  let stopping = false;
  child.once("exit", (code, signal) => {
    if (!stopping) {
      process.stderr.write(`A server exited (${code ?? signal}):\n${log.slice(-4_000)}\n`);
    }
  });
  const title = `${command} ${args.join(" ")}`;
  await waitUntil(() => {
    if (child.exitCode !== null) {
      throw new Error(`${title} ended.`);
    }
    return answers(port, "/api/health/live");
  }, `${title} did not start.`);
  const startedInMs = performance.now() - launchedAt;
  return {
    port,
    startedInMs,
    cpuSeconds: () => readCpuSeconds(child.pid ?? 0),
    memoryBytes: () => readMemoryBytes(child.pid ?? 0),
    stop: () => {
      stopping = true;
      return stop(child);
    },
  };
}

async function waitUntil(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const until = performance.now() + READY_TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > until) {
      throw new Error(otherwise);
    }
    await sleep(20);
  }
}

async function answers(port: number, address: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${address}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** The processor time that a process and its children have used so far. Zero where the system has no /proc. */
export function readCpuSeconds(pid: number): number {
  return sumOverTree(pid, (each) => readSeconds(each, OWN));
}

/** The processor time that a stage's PostgreSQL has used so far, with all of its processes, also those that have ended. */
export function readDatabaseCpuSeconds({ database }: Stage): number {
  const file = readFileSync(path.join(database.data, "postmaster.pid"), "utf8");
  const pid = Number(file.split("\n", 1)[0]);
  return readChildren(pid).reduce(
    (sum, child) => sum + readSeconds(child, OWN),
    readSeconds(pid, [...OWN, ...ENDED]),
  );
}

function readSeconds(pid: number, places: readonly number[]): number {
  const fields = readProc(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  return places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) / TICKS_PER_SECOND;
}

function readMemoryBytes(pid: number): number {
  return sumOverTree(pid, (each) => {
    const { kb = 0 } = /^Pss:\s+(?<kb>\d+)/mu.exec(readProc(each, "smaps_rollup"))?.groups ?? {};
    return Number(kb) * 1_024;
  });
}

function sumOverTree(pid: number, read: (pid: number) => number): number {
  if (readProc(pid, "comm").trim() === "postgres") {
    return 0;
  }
  return readChildren(pid).reduce((sum, child) => sum + sumOverTree(child, read), read(pid));
}

function readChildren(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) {
    return;
  }
  const gone = new Promise((resolve) => child.once("exit", resolve));
  // Signal the whole process group: npm does not forward signals to all of its children.
  process.kill(-child.pid, "SIGTERM");
  await gone;
}
