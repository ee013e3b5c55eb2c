import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyBooks } from "#lib/ledger/verify.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { prepareHome } from "#db/embedded-home.ts";
import type { DatabaseHome } from "#db/embedded-home.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { findFreePort } from "#db/postmaster.ts";
import { startCluster } from "./cluster.ts";
import { toBundle } from "../../bin/bundle.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
/** This only ends a start that hangs; it is long because the machine may be busy. */
const READY_TIMEOUT_MS = 150_000;

/** A real server process and a real PostgreSQL; tests may kill, pause, or disconnect either. */
export interface Rig {
  baseUrl: string;
  database: EmbeddedDatabase;
  home: DatabaseHome;
  server: ChildProcess;
  /** The server's standard error. */
  log(): string;
  /** Restarts the server process after it has exited. */
  restartServer(): Promise<void>;
  /** Starts one more server on the same database, ready when this resolves. It ends with the rig. `program`: another version's. */
  startAnother(environment?: Environment, program?: string): Promise<AnotherServer>;
  sweep(): Promise<Discrepancy[]>;
  stop(): Promise<void>;
}

/** A server besides the rig's first one. */
export interface AnotherServer {
  baseUrl: string;
  server: ChildProcess;
  /** Starts it again after it has exited, at the same address. */
  restart(): Promise<void>;
}

/** Environment variables of a server, besides those that every one has. */
type Environment = Readonly<Record<string, string>>;

/** How a rig differs from a server of the API alone that is connected directly to its database. */
export interface Setup {
  /** Takes the database's address, and returns that of a proxy before it. Without it, servers connect directly. */
  through?: (databaseUrl: string) => Promise<string>;
  /** Of every server. */
  environment?: Environment;
  /** What every server serves besides the API: nothing, unless named. */
  serves?: "pages";
}

export async function startRig({ through, environment, serves }: Setup = {}): Promise<Rig> {
  const { dir, database } = await startCluster();
  const home = prepareHome(dir);
  const appUrl = through ? await through(database.appUrl) : database.appUrl;
  // A demo of ninety days would take longer than most faults.
  const args = serves === "pages" ? ["--empty"] : ["--empty", "--api-only"];
  let log = "";
  const children: ChildProcess[] = [];
  const launch = (program: string, own: Environment) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        DATABASE_URL: appUrl,
        FLOATDECK_SECRET: "a secret for nothing but this test run",
        FLOATDECK_ENV: "sandbox",
        NODE_ENV: "production",
        ...environment,
        ...own,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
    children.push(child);
    return child;
  };
  const port = await findFreePort();
  const launchFirst = () => launch(toBundle("start.ts"), { PORT: String(port), DATA_DIR: dir });
  const rig: Rig = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    database,
    home,
    server: launchFirst(),
    log: () => log,
    restartServer: async () => {
      rig.server = launchFirst();
      await waitUntilReady(rig);
    },
    startAnother: async (own, program = toBundle("start.ts")) => {
      const other = await findFreePort();
      const place = { PORT: String(other), DATA_DIR: path.join(dir, `another-${other}`) };
      const relaunch = () => launch(program, { ...place, ...own });
      const another = {
        baseUrl: `http://127.0.0.1:${other}/api`,
        server: relaunch(),
        log: () => log,
        restart: async () => {
          another.server = relaunch();
          await waitUntilReady(another);
        },
      };
      await waitUntilReady(another);
      return another;
    },
    sweep: async () => {
      const opened = openDatabase(rig.database.ownerUrl, { max: 2 });
      try {
        return await verifyBooks(opened.db);
      } finally {
        await opened.close();
      }
    },
    stop: async () => {
      for (const child of children) {
        child.kill("SIGKILL");
      }
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilReady(rig);
  } catch (error) {
    await rig.stop();
    throw error;
  }
  return rig;
}

/** Resolves when the server says it is ready, with how long that took in milliseconds. Throws when it ends instead. */
export async function waitUntilReady(
  rig: Pick<Rig, "baseUrl" | "log"> & Partial<Pick<Rig, "server">>,
): Promise<number> {
  const started = performance.now();
  while (
    performance.now() - started < READY_TIMEOUT_MS &&
    (rig.server?.exitCode ?? null) === null
  ) {
    const ready = await fetch(`${rig.baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) })
      .then(({ status }) => status === 200)
      .catch(() => false);
    if (ready) {
      return performance.now() - started;
    }
    await sleep(50);
  }
  throw new Error(`The server did not become ready:\n${rig.log()}`);
}

/** Runs PostgreSQL's own control command on the rig's database, as its user, with these environment variables. */
export function controlDatabase(
  {
    home,
    databaseEnvironment,
  }: Pick<Rig, "home"> & { databaseEnvironment?: Readonly<Record<string, string>> },
  ...args: string[]
): void {
  const log = `${home.data}/restart.log`;
  execFileSync(
    path.join(home.binaries, "bin", "pg_ctl"),
    ["-D", home.data, "-w", "-l", log, ...args],
    {
      ...home.user,
      cwd: home.data,
      env: { ...process.env, ...databaseEnvironment },
      stdio: "ignore",
    },
  );
}

/** The postmaster and its child processes. */
export function databaseProcesses({ home }: Pick<Rig, "home">): number[] {
  const postmaster = Number(
    readFileSync(path.join(home.data, "postmaster.pid"), "utf8").split("\n")[0],
  );
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(postmaster)], {
    encoding: "utf8",
  });
  return [postmaster, ...children.trim().split(/\s+/u).map(Number)];
}

/** Kills all processes of PostgreSQL at once. */
export async function killDatabase(rig: Pick<Rig, "home">): Promise<void> {
  const pids = databaseProcesses(rig);
  for (const pid of pids) {
    killOne(pid);
  }
  // A new postmaster refuses to start while processes of the old one remain.
  while (areAnyLeft(pids)) {
    await sleep(20);
  }
}

/** A child may have ended by itself since it was listed, as backends do once the postmaster is gone. */
function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) {
      throw error;
    }
  }
}

/** A child is gone once it has exited; the postmaster only once this process, its parent, has reaped it. */
function areAnyLeft([postmaster, ...children]: readonly number[]): boolean {
  const states = spawnSync("ps", ["-o", "stat=", "-p", children.join(",")], { encoding: "utf8" });
  const isAnyAlive = states.stdout.split("\n").some((state) => /^[^Z\s]/u.test(state));
  return isAnyAlive || existsSync(`/proc/${postmaster}`);
}
