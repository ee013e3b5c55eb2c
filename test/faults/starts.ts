import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach } from "vitest";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { findFreePort } from "#db/postmaster.ts";
import { toBundle } from "../../bin/bundle.mjs";

const ROOT = path.join(import.meta.dirname, "../..");

/** Where a test has its data directories. */
export let place: string;
const children: ChildProcess[] = [];
const databases: EmbeddedDatabase[] = [];

/** Each test of the file has a place of its own, and leaves nothing that runs. */
export function useStarts(): void {
  beforeEach(() => {
    place = mkdtempSync(path.join(tmpdir(), "floatdeck-start-"));
    chmodSync(place, 0o755);
  });
  afterEach(async () => {
    const ended = children.splice(0).map((child) => stop(child));
    await Promise.all(ended);
    await Promise.all(databases.splice(0).map((database) => database.stop()));
    rmSync(place, { recursive: true, force: true });
  });
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}

/** One of our programs, started as an operator starts it. */
export interface Started {
  child: ChildProcess;
  dataDir: string;
  baseUrl: string;
  /** Both streams. */
  log(): string;
  exit: Promise<number | null>;
}

export async function run(
  program: readonly string[],
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Started> {
  const port = await findFreePort();
  let log = "";
  const child = spawn(process.execPath, [...program], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      FLOATDECK_ENV: "sandbox",
      NODE_ENV: "production",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, dataDir, baseUrl: `http://127.0.0.1:${port}/api`, log: () => log, exit };
}

/** Starts a server of the API alone. */
export const serve = (dataDir: string, environment?: Record<string, string>) =>
  run([toBundle("start.ts"), "--empty", "--api-only"], path.join(place, dataDir), environment);

/** An external database as an operator prepares it: with both roles and no tables. */
export async function startDatabase(): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(path.join(place, "database"));
  databases.push(database);
  const owner = postgres(database.ownerUrl, { max: 1 });
  const { name, password } = database.appRole;
  await owner.unsafe(`create role ${name} login password '${password}'`);
  await owner.end();
  return database;
}

export function toEnvironment(database: EmbeddedDatabase): Record<string, string> {
  return { DATABASE_URL: database.appUrl, DATABASE_MIGRATION_URL: database.ownerUrl };
}

/** The process id of the embedded PostgreSQL, or 0 unless its pid file reports this state. */
export function postmasterOf({ dataDir }: Started, state = ""): number {
  const file = path.join(dataDir, "postgres", "postmaster.pid");
  const [pid, ...others] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return others.at(-2)?.startsWith(state) ? Number(pid) : 0;
}
