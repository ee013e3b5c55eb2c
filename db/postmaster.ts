import { randomInt } from "node:crypto";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import type { ListenOptions, Server } from "node:net";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./connect.ts";
import type { DatabaseHome } from "./embedded-home.ts";
import { hasEntry, isAlive, workingDirectory } from "./process-state.ts";
import { readIfExists } from "./read-if-exists.ts";
import { timeLimit } from "./time-limits.ts";

/**
 * An embedded PostgreSQL as a process: its location, how to start it, and how its owner connects to a port.
 */
export interface Postmaster {
  home: DatabaseHome;
  /** Extra server settings, `name=value`. */
  settings: readonly string[];
  toOwnerUrl: (port: number) => string;
}

const POLL_MS = 50;

/**
 * The port of the PostgreSQL that runs on this directory, once it answers; undefined when none does.
 * @throws Error with one sentence when the directory is a copy of one whose PostgreSQL was running.
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
  // It may still be recovering from a crash.
  const deadline = Date.now() + timeLimit("postgresStart");
  while (isAlive(left.pid) && Date.now() < deadline) {
    if (await canConnect(toOwnerUrl(left.port))) {
      return left.port;
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

/**
 * Whether this directory's PostgreSQL is running and listening on the port, according to the operating
 * system, not to PostgreSQL.
 */
export function isRunningOn(home: DatabaseHome, port: number): boolean {
  const running = readPidFile(home.data);
  return running?.port === port && isAlive(running.pid);
}

/**
 * Starts PostgreSQL and waits until it answers. If a killed PostgreSQL left processes behind, they end once they
 * notice; until then, their shared memory prevents another start.
 * @param port required when given; otherwise the previous port is used if it is still free.
 * @throws Error with one sentence and the end of the server's log.
 */
export async function launch(postmaster: Postmaster, port?: number): Promise<number> {
  const { home, settings, toOwnerUrl } = postmaster;
  const left = readPidFile(home.data);
  if (left && hasEntry(left.pid) && !isOurs(home, left)) {
    removeLocks(home, left);
  }
  const chosen = port ?? (await findFreePort(left?.port));
  const options = [
    "listen_addresses=127.0.0.1",
    `port=${chosen}`,
    `unix_socket_directories=${await chooseSocketDirectory(home, chosen)}`,
    "max_connections=100",
    `shared_buffers=${toBufferMb(readMemory())}MB`,
    "logging_collector=off",
    // A new cluster has no WAL segments to reuse, and every commit would wait while the next one is filled with zeros.
    "wal_init_zero=off",
    // After each checkpoint, the first change of a page writes all of it.
    "wal_compression=on",
    ...settings,
  ].flatMap((setting) => ["-c", setting]);
  await startAnswering(home, options, toOwnerUrl(chosen));
  return chosen;
}

async function startAnswering(
  home: DatabaseHome,
  options: readonly string[],
  url: string,
): Promise<void> {
  const deadline = Date.now() + timeLimit("postgresStart");
  let child = spawnPostgres(home, options);
  while (Date.now() < deadline && child.pid !== undefined) {
    if (await canConnect(url)) {
      return;
    }
    if (child.exitCode !== null || child.signalCode !== null) {
      if (!canStartAgain(child, home)) {
        break;
      }
      child = spawnPostgres(home, options);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The embedded database did not start: ${readLogEnd(home)}`);
}

/**
 * Whether another start may succeed: PostgreSQL was ended instead of giving up, or gave up because a killed one left
 * processes behind.
 */
function canStartAgain({ exitCode }: ChildProcess, home: DatabaseHome): boolean {
  return (
    exitCode === null ||
    exitCode === 0 ||
    readLogEnd(home).includes("pre-existing shared memory block")
  );
}

function spawnPostgres(home: DatabaseHome, options: readonly string[]): ChildProcess {
  const logFile = toLogFile(home);
  const log = openSync(logFile, "a", 0o600);
  chmodSync(logFile, 0o600);
  // A separate process group: Ctrl-C reaches only the server, which ends its requests first and the database
  // after them.
  const child = spawn(path.join(home.binaries, "bin", "postgres"), ["-D", home.data, ...options], {
    ...home.user,
    cwd: home.data,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  // A process that the system could not start has no id.
  child.on("error", () => undefined);
  child.unref();
  return child;
}

function readLogEnd(home: DatabaseHome): string {
  return readFileSync(toLogFile(home), "utf8").trim().split("\n").slice(-3).join(" | ");
}

export function toLogFile({ data }: DatabaseHome): string {
  return `${data}.log`;
}

/** PostgreSQL's "fast" shutdown: open transactions roll back, and everything committed is on disk. */
export async function stopPostmaster({ home }: Pick<Postmaster, "home">): Promise<void> {
  const running = readPidFile(home.data);
  if (!running || !isOurs(home, running)) {
    return;
  }
  process.kill(running.pid, "SIGINT");
  const deadline = Date.now() + timeLimit("postgresStop");
  while (isAlive(running.pid) && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
}

/** What PostgreSQL records while it runs, and a crash leaves behind. */
interface PidFile {
  pid: number;
  directory: string;
  port: number;
}

function pidFile(data: string): string {
  return path.join(data, "postmaster.pid");
}

/**
 * Removes lock files whose process id was reused, or belongs to a zombie: PostgreSQL would mistake either for itself.
 * Shared memory left by an earlier PostgreSQL still prevents a start.
 */
function removeLocks({ data }: DatabaseHome, left: PidFile): void {
  rmSync(pidFile(data));
  rmSync(`${toSocket(data, left.port)}.lock`, { force: true });
}

function toSocket(data: string, port: number): string {
  return path.join(data, `.s.PGSQL.${port}`);
}

function readPidFile(data: string): PidFile | undefined {
  // Read at once: a PostgreSQL that starts after a killed one replaces the file at any moment.
  const [pid, directory = "", , port] = readIfExists(pidFile(data))?.split("\n") ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), directory, port: Number(port) };
}

/**
 * Refuses a copied directory. If the file names another directory, it came with a copy, and files copied one
 * by one from a running PostgreSQL are inconsistent. A moved directory leaves nothing at its old place.
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

/**
 * Whether the process is this directory's PostgreSQL: that is its working directory, wherever it was moved.
 */
function isOurs(home: DatabaseHome, { pid, directory }: PidFile): boolean {
  if (!isAlive(pid)) {
    return false;
  }
  return isSameDirectory(workingDirectory(pid) ?? directory, home.data);
}

function isSameDirectory(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** The memory available to this process: a container's limit may be below the machine's. */
function readMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

const BUFFER_MIN_MB = 128;
const BUFFER_MAX_MB = 1_024;
const BUFFER_SHARE = 1 / 16;

/**
 * The server's default is made for a machine of 2 GB and is too small for an account with a million
 * transactions.
 */
function toBufferMb(memoryBytes: number): number {
  const share = Math.floor((memoryBytes / 2 ** 20) * BUFFER_SHARE);
  return Math.min(Math.max(share, BUFFER_MIN_MB), BUFFER_MAX_MB);
}

export async function canConnect(url: string): Promise<boolean> {
  const client = connect(url, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    onnotice: () => undefined,
  });
  try {
    await client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** The data directory, which nobody else may enter; an empty string where no socket is possible. */
async function chooseSocketDirectory({ data }: DatabaseHome, port: number): Promise<string> {
  return (await canListen(toSocket(data, port))) ? "." : "";
}

/** Not every file system supports sockets, and the path of a socket is limited to about 100 bytes. */
async function canListen(socket: string): Promise<boolean> {
  rmSync(socket, { force: true });
  const probe = createServer();
  const listens = await tryToListen(probe, { path: socket });
  await new Promise((resolve) => probe.close(resolve));
  return listens;
}

function tryToListen(probe: Server, on: ListenOptions): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(on, () => resolve(true));
  });
}

/** Above every port that browsers refuse, and below those that systems give to outgoing connections, at any moment. */
const [LEAST_PORT, MOST_PORT] = [12_000, 32_000];

/** A port of this machine that nobody listens at: the preferred one when possible, or else one at random. */
export async function findFreePort(preferred = randomInt(LEAST_PORT, MOST_PORT)): Promise<number> {
  const probe = createServer();
  const isFree = await tryToListen(probe, { port: preferred, host: "127.0.0.1" });
  await new Promise((resolve) => probe.close(resolve));
  return isFree ? preferred : findFreePort();
}
