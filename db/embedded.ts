import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { prepareHome, takeOwnership } from "./embedded-home.ts";
import type { DatabaseHome } from "./embedded-home.ts";
import { isAbsent } from "./failures.ts";
import {
  canConnect,
  findRunning,
  isRunningOn,
  launch,
  stopPostmaster,
  toLogFile,
} from "./postmaster.ts";
import type { Postmaster } from "./postmaster.ts";
import { timeLimit } from "./time-limits.ts";

/** An embedded PostgreSQL, from an npm package, on loopback. */
export interface EmbeddedDatabase {
  /** For migrations: the role that owns the tables. */
  ownerUrl: string;
  /** As the server's role, which cannot change append-only tables. */
  appUrl: string;
  /**
   * For the server: like `appUrl`, but through a Unix socket, which takes less processor time. Equals `appUrl` where
   * no socket is possible.
   */
  localUrl: string;
  appRole: { name: string; password: string };
  /** Whether this call started it; false when it was already running. */
  started: boolean;
  /** Where its data is. */
  data: string;
  /** PostgreSQL's log file. */
  logFile: string;
  /** Whether its process is running. */
  isRunning(): boolean;
  /**
   * Restarts it at the same address after it ended unexpectedly.
   * @throws Error with one sentence when it does not start.
   */
  restart(): Promise<void>;
  /** Stops it cleanly and closes open connections. */
  stop(): Promise<void>;
}

interface Credentials {
  ownerPassword: string;
  appPassword: string;
}

const OWNER = "floatdeck_owner";
const APP_ROLE = "floatdeck";
const DATABASE = "floatdeck";

/**
 * Starts the database under `dir`, creating it the first time. A server left running by a crash is adopted;
 * one that belongs to another directory is never touched.
 * @param settings extra server settings, `name=value`.
 * @throws Error with one sentence and the end of the server's log when it does not start.
 */
export async function startEmbedded(
  dir: string,
  settings: readonly string[] = [],
): Promise<EmbeddedDatabase> {
  const home = prepareHome(dir);
  const { ownerPassword, appPassword } = requireCredentials(dir);
  const toOwnerUrl = (port: number, name = "postgres") =>
    toUrl(OWNER, ownerPassword, { port, name });
  const postmaster: Postmaster = { home, settings, toOwnerUrl };
  if (!existsSync(path.join(home.data, "PG_VERSION"))) {
    initialize(home, ownerPassword);
  }
  const { port, started } = await startWithDatabase(postmaster);
  const appUrl = toUrl(APP_ROLE, appPassword, { port, name: DATABASE });
  const hasSocket = await canConnect(toSocketUrl(toOwnerUrl(port), home));
  return {
    ownerUrl: toOwnerUrl(port, DATABASE),
    appUrl,
    localUrl: hasSocket ? toSocketUrl(appUrl, home) : appUrl,
    appRole: { name: APP_ROLE, password: appPassword },
    started,
    data: home.data,
    logFile: toLogFile(home),
    isRunning: () => isRunningOn(home, port),
    restart: () => restart(postmaster, port),
    stop: () => stopPostmaster(postmaster),
  };
}

/** Starts over if PostgreSQL dies before its database exists. After that, watching it is up to the caller. */
async function startWithDatabase(
  postmaster: Postmaster,
): Promise<{ port: number; started: boolean }> {
  const deadline = Date.now() + timeLimit("postgresStart");
  let started = false;
  for (;;) {
    const adopted = await findRunning(postmaster);
    const port = adopted ?? (await start(postmaster));
    started ||= adopted === undefined;
    try {
      await createDatabase(postmaster.toOwnerUrl(port));
      return { port, started };
    } catch (error) {
      if (!isAbsent(error) || Date.now() >= deadline) {
        throw error;
      }
    }
  }
}

async function start(postmaster: Postmaster): Promise<number> {
  takeOwnership(postmaster.home);
  return launch(postmaster);
}

async function restart(postmaster: Postmaster, port: number): Promise<void> {
  const found = await findRunning(postmaster);
  if (found === undefined) {
    await launch(postmaster, port);
  } else if (found !== port) {
    throw new Error(`Another process has started the embedded database on port ${found}.`);
  }
}

function toUrl(role: string, password: string, at: { port: number; name: string }): string {
  return `postgres://${role}:${password}@127.0.0.1:${at.port}/${at.name}`;
}

function toSocketUrl(url: string, { data }: DatabaseHome): string {
  return `${url}?${new URLSearchParams({ host: data })}`;
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

/** Builds it completely in a separate directory, so that a crash midway leaves nothing that looks complete. */
function initialize(home: DatabaseHome, ownerPassword: string): void {
  rmSync(home.data, { recursive: true, force: true });
  const passwordFile = `${home.data}.password`;
  writeFileSync(passwordFile, ownerPassword, { mode: 0o600 });
  if (home.user) {
    spawnSync("chown", [`${home.user.uid}:${home.user.gid}`, passwordFile]);
    // initdb creates the directory's contents; the directory itself is where only we may write.
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
      `Could not create the embedded database: ${made.stderr.trim() || made.error?.message}`,
    );
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
