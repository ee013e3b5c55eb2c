import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { prepareHome } from "./embedded-home.ts";
import type { DatabaseHome } from "./embedded-home.ts";

/** A PostgreSQL of our own, from an npm package, on loopback. */
export interface EmbeddedDatabase {
  /** For migrations: the role that owns the tables. */
  ownerUrl: string;
  /** For the server: a role that may not change what is append-only. */
  appUrl: string;
  appRole: { name: string; password: string };
  /** Whether this call started it; false when it was found running. */
  started: boolean;
  /** Stops it cleanly; connections still open are ended. */
  stop(): Promise<void>;
}

interface Credentials {
  ownerPassword: string;
  appPassword: string;
}

const OWNER = "floatdeck_owner";
const APP_ROLE = "floatdeck";
const DATABASE = "floatdeck";
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/**
 * Starts the database under `dir`, making it the first time. A server left running by a crash is adopted, never fought.
 * @param settings extra server settings, `name=value`.
 * @throws Error in one sentence, with the end of the server's log, when it does not come up.
 */
export async function startEmbedded(
  dir: string,
  settings: readonly string[] = [],
): Promise<EmbeddedDatabase> {
  const home = prepareHome(dir);
  const credentials = requireCredentials(dir);
  if (!existsSync(path.join(home.data, "PG_VERSION"))) {
    initialise(home, credentials);
  }
  const adopted = await adopt(home, credentials);
  const port = adopted ?? (await launch(home, { credentials, settings }));
  await createDatabase(toUrl(OWNER, credentials.ownerPassword, { port, name: "postgres" }));
  return {
    ownerUrl: toUrl(OWNER, credentials.ownerPassword, { port, name: DATABASE }),
    appUrl: toUrl(APP_ROLE, credentials.appPassword, { port, name: DATABASE }),
    appRole: { name: APP_ROLE, password: credentials.appPassword },
    started: adopted === undefined,
    stop: () => stop(home),
  };
}

function toUrl(role: string, password: string, at: { port: number; name: string }): string {
  return `postgres://${role}:${password}@127.0.0.1:${at.port}/${at.name}`;
}

function requireCredentials(dir: string): Credentials {
  const file = path.join(dir, "database.json");
  if (existsSync(file)) {
    return JSON.parse(readFileSync(file, "utf8"));
  }
  const credentials = {
    ownerPassword: randomBytes(24).toString("hex"),
    appPassword: randomBytes(24).toString("hex"),
  };
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 });
  return credentials;
}

/** Made in full beside, so that a crash in the middle leaves nothing that looks finished. */
function initialise(home: DatabaseHome, credentials: Credentials): void {
  rmSync(home.data, { recursive: true, force: true });
  const passwordFile = `${home.data}.password`;
  writeFileSync(passwordFile, credentials.ownerPassword, { mode: 0o600 });
  if (home.user) {
    spawnSync("chown", [`${home.user.uid}:${home.user.gid}`, passwordFile]);
    // initdb makes the directory's content; the directory itself is in a place only we may write to.
    spawnSync("install", [
      "-d",
      "-m",
      "700",
      "-o",
      `${home.user.uid}`,
      "-g",
      `${home.user.gid}`,
      home.data,
    ]);
  }
  const made = spawnSync(
    path.join(home.binaries, "bin", "initdb"),
    [
      `--pgdata=${home.data}`,
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--locale=C.UTF-8",
    ],
    { ...home.user, cwd: path.dirname(home.data), encoding: "utf8" },
  );
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    rmSync(home.data, { recursive: true, force: true });
    throw new Error(
      `The embedded database could not be made: ${made.stderr.trim() || made.error?.message}`,
    );
  }
}

async function adopt(home: DatabaseHome, credentials: Credentials): Promise<number | undefined> {
  const left = readPidFile(home);
  if (!left || !isAlive(left.pid)) {
    return undefined;
  }
  const url = toUrl(OWNER, credentials.ownerPassword, { port: left.port, name: "postgres" });
  // It may still be replaying what a crash left it.
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (isAlive(left.pid) && Date.now() < deadline) {
    if (await canConnect(url)) {
      return left.port;
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

/** What this process may use, where a container says less than the machine. */
function readMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

const BUFFER_MIN_MB = 128;
const BUFFER_MAX_MB = 1_024;
const BUFFER_SHARE = 1 / 16;

/** The server's own default fits a machine of 2 GB, and an account with a million transactions does not fit into it. */
function toBufferMb(memoryBytes: number): number {
  const share = Math.floor((memoryBytes / 2 ** 20) * BUFFER_SHARE);
  return Math.min(Math.max(share, BUFFER_MIN_MB), BUFFER_MAX_MB);
}

async function launch(
  home: DatabaseHome,
  { credentials, settings }: { credentials: Credentials; settings: readonly string[] },
): Promise<number> {
  const port = await findFreePort();
  const logFile = `${home.data}.log`;
  const log = openSync(logFile, "a", 0o600);
  chmodSync(logFile, 0o600);
  const options = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=100",
    `shared_buffers=${toBufferMb(readMemory())}MB`,
    "logging_collector=off",
    ...settings,
  ].flatMap((setting) => ["-c", setting]);
  // A group of its own: Ctrl-C reaches the server alone, which ends its requests first and the database after them.
  const child = spawn(path.join(home.binaries, "bin", "postgres"), ["-D", home.data, ...options], {
    ...home.user,
    cwd: home.data,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  const url = toUrl(OWNER, credentials.ownerPassword, { port, name: "postgres" });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.pid !== undefined) {
    if (await canConnect(url)) {
      return port;
    }
    await sleep(POLL_MS);
  }
  const tail = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" | ");
  throw new Error(`The embedded database did not start: ${tail}`);
}

async function canConnect(url: string): Promise<boolean> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end({ timeout: 1 });
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const existing = await client`select from pg_database where datname = ${DATABASE}`;
    if (existing.length === 0) {
      await client.unsafe(`create database ${DATABASE}`);
    }
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** PostgreSQL's "fast" shutdown: open transactions roll back, everything committed is on disk. */
async function stop(home: DatabaseHome): Promise<void> {
  const running = readPidFile(home);
  if (!running || !isAlive(running.pid)) {
    return;
  }
  process.kill(running.pid, "SIGINT");
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(running.pid) && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
}

function readPidFile(home: DatabaseHome): { pid: number; port: number } | undefined {
  const file = path.join(home.data, "postmaster.pid");
  if (!existsSync(file)) {
    return undefined;
  }
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") {
    throw new Error("No free port was found for the embedded database.");
  }
  return address.port;
}
