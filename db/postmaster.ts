import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { DatabaseHome } from "./embedded-home.ts";

/** An embedded PostgreSQL as a process: where it lives, how to start it, and how its owner connects to a port. */
export interface Postmaster {
  home: DatabaseHome;
  /** Extra server settings, `name=value`. */
  settings: readonly string[];
  toOwnerUrl: (port: number) => string;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/**
 * The port of the PostgreSQL that runs on this very directory, once it answers; undefined when none does.
 * @throws Error in one sentence when the directory is a copy of one whose PostgreSQL was running.
 */
export async function findRunning({ home, toOwnerUrl }: Postmaster): Promise<number | undefined> {
  const left = readPidFile(home.data);
  if (!left) {
    return undefined;
  }
  refuseCopy(home, left);
  if (!isOurs(home, left)) {
    return undefined;
  }
  // It may still be replaying what a crash left it.
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (isAlive(left.pid) && Date.now() < deadline) {
    if (await canConnect(toOwnerUrl(left.port))) {
      return left.port;
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Whether the PostgreSQL of this directory is there and listens on the port; asked of the system, not of PostgreSQL. */
export function isRunningOn(home: DatabaseHome, port: number): boolean {
  const running = readPidFile(home.data);
  return running?.port === port && isAlive(running.pid);
}

/**
 * Starts PostgreSQL and waits until it answers.
 * @param port the only one that will do; else the one it had before, where that is free still.
 * @throws Error in one sentence, with the end of the server's log.
 */
export async function launch(postmaster: Postmaster, port?: number): Promise<number> {
  const { home, settings, toOwnerUrl } = postmaster;
  const left = readPidFile(home.data);
  if (left && hasEntry(left.pid) && !isOurs(home, left)) {
    // The id went to another program, or its process waits for its parent to take note: PostgreSQL would take either for
    // itself. What an earlier one has left behind in shared memory still stops it.
    rmSync(pidFile(home.data));
  }
  const chosen = port ?? (await findFreePort(left?.port));
  const logFile = toLogFile(home);
  const log = openSync(logFile, "a", 0o600);
  chmodSync(logFile, 0o600);
  const options = [
    "listen_addresses=127.0.0.1",
    `port=${chosen}`,
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
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.pid !== undefined) {
    if (await canConnect(toOwnerUrl(chosen))) {
      return chosen;
    }
    await sleep(POLL_MS);
  }
  const tail = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" | ");
  throw new Error(`The embedded database did not start: ${tail}`);
}

export function toLogFile({ data }: DatabaseHome): string {
  return `${data}.log`;
}

/** PostgreSQL's "fast" shutdown: open transactions roll back, everything committed is on disk. */
export async function stopPostmaster({ home }: Postmaster): Promise<void> {
  const running = readPidFile(home.data);
  if (!running || !isOurs(home, running)) {
    return;
  }
  process.kill(running.pid, "SIGINT");
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(running.pid) && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
}

/** What PostgreSQL writes down while it runs, and a crash leaves behind. */
interface PidFile {
  pid: number;
  directory: string;
  port: number;
}

function pidFile(data: string): string {
  return path.join(data, "postmaster.pid");
}

function readPidFile(data: string): PidFile | undefined {
  const file = pidFile(data);
  if (!existsSync(file)) {
    return undefined;
  }
  const [pid, directory = "", , port] = readFileSync(file, "utf8").split("\n");
  return { pid: Number(pid), directory, port: Number(port) };
}

/**
 * A file that says another directory was copied with it, and files copied one by one under a running PostgreSQL do not
 * fit together. A directory that was moved leaves nothing at its old place.
 */
function refuseCopy(home: DatabaseHome, left: PidFile): void {
  const runsIn = workingDirectory(left.pid);
  const original = runsIn && readPidFile(runsIn)?.pid === left.pid ? runsIn : left.directory;
  if (!existsSync(original) || isSameDirectory(original, home.data)) {
    return;
  }
  throw new Error(
    `${home.data} is a copy of ${original}, made while PostgreSQL was running there: it may be incomplete and is not started. Stop Floatdeck there and copy again. If it is a snapshot of the whole file system, or the original is gone for good, delete ${pidFile(home.data)} and start again.`,
  );
}

/** Whether the process is the PostgreSQL of this directory: it works in it, wherever the directory was moved. */
function isOurs(home: DatabaseHome, { pid, directory }: PidFile): boolean {
  if (!isAlive(pid)) {
    return false;
  }
  return isSameDirectory(workingDirectory(pid) ?? directory, home.data);
}

/** Undefined where the system does not say. */
function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function isSameDirectory(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

function isAlive(pid: number): boolean {
  return hasEntry(pid) && !isZombie(pid);
}

function hasEntry(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A process that ended, and whose parent has not taken note. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name, which is in brackets and may hold anything.
    return /\) Z [^)]*$/u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
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

/** A port of this machine that nobody listens on: the preferred one if it is free. */
export async function findFreePort(preferred = 0): Promise<number> {
  const probe = createServer();
  const free = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(preferred, "127.0.0.1", () => resolve(true));
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (!free && preferred !== 0) {
    return findFreePort();
  }
  if (address === null || typeof address === "string") {
    throw new Error("No free port was found for the embedded database.");
  }
  return address.port;
}
