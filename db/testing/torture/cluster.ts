import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { prepareHome } from "../../embedded-home.ts";
import type { DatabaseHome } from "../../embedded-home.ts";
import { startEmbedded } from "../../embedded.ts";
import { migrate } from "../../migrate.ts";
import { controlDatabase, databaseProcesses, freePort, waitUntilReady } from "../faults/rig.ts";
import { Switchboard } from "../faults/switchboard.ts";
import { toShiftedEnvironment } from "./database-clock.ts";
import { listChildren } from "./memory.ts";
import type { Running } from "./memory.ts";
import { SERVERS, WORKERS } from "./schedule.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const SECRET = "a secret for nothing but this test run";

const LOG_SHOWN = 2_000;
const RESTART_MS = 500;

/** A server or a worker under a supervisor, which starts it again when it ends by itself, as one does without a database. */
export class Member {
  readonly baseUrl: string;
  private child: ChildProcess | undefined;
  private isWanted = false;
  private readonly launch: () => ChildProcess;
  private readonly name: string;

  constructor({ baseUrl, name }: { baseUrl: string; name: string }, launch: () => ChildProcess) {
    this.baseUrl = baseUrl;
    this.name = name;
    this.launch = launch;
  }

  /** Its processes that run: itself, and the one that serves its pages. */
  processes(): Running[] {
    const pid = this.child?.pid;
    if (pid === undefined || this.child?.exitCode !== null) {
      return [];
    }
    const pages = listChildren(pid).filter(({ command }) => command.includes("bin/pages.ts"));
    return [
      { name: this.name, pid },
      ...pages.map((child) => ({ name: `${this.name}, pages`, pid: child.pid })),
    ];
  }

  start(): void {
    this.isWanted = true;
    this.run();
  }

  /** Ends it at once, until it is started again. */
  kill(): void {
    this.isWanted = false;
    this.child?.kill("SIGKILL");
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.child?.kill(name);
  }

  private run(): void {
    const child = this.launch();
    this.child = child;
    child.once("exit", () => {
      setTimeout(() => {
        if (this.isWanted && this.child === child) {
          this.run();
        }
      }, RESTART_MS);
    });
  }
}

/** Three servers and two workers on one real PostgreSQL, all of which a test may kill, freeze, or disconnect. */
export interface Cluster {
  servers: Member[];
  workers: Member[];
  home: DatabaseHome;
  ownerUrl: string;
  processorKey: string;
  /** The environment of its PostgreSQL when it is started again. */
  databaseEnvironment: Readonly<Record<string, string>>;
  /** Restarts PostgreSQL with its clock this many days ahead of the machine's. */
  setDatabaseAhead(days: number): void;
  /** The processes of PostgreSQL. */
  databaseProcesses(): number[];
  /** Closes all connections to the database. */
  cut(): void;
  /** The standard error of all processes. */
  log(): string;
  /** Resolves when every server is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** @param program how a server is started. */
export async function startCluster(program: readonly string[]): Promise<Cluster> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-torture-"));
  chmodSync(dir, 0o755);
  const database = await startEmbedded(dir);
  await migrate(database.ownerUrl, database.appRole);
  const board = new Switchboard();
  const appUrl = await board.lay(database.appUrl);
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    FLOATDECK_SECRET: SECRET,
    FLOATDECK_ENV: "sandbox",
    WORKER: "off",
    WEBHOOK_LOOPBACK: "on",
    NODE_ENV: "production",
  };
  let log = "";
  const launch = (args: readonly string[], settings: Record<string, string>) => () => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...environment, ...settings },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
    });
    return child;
  };
  const servers: Member[] = [];
  for (let number = 0; number < SERVERS; number += 1) {
    const port = await freePort();
    const settings = { PORT: String(port), DATA_DIR: path.join(dir, `server-${number}`) };
    const at = { baseUrl: `http://127.0.0.1:${port}/api`, name: `server ${number}` };
    servers.push(new Member(at, launch(program, settings)));
  }
  const workers = Array.from(
    { length: WORKERS },
    (_, number) =>
      new Member(
        { baseUrl: "", name: `worker ${number}` },
        launch(["bin/worker.ts"], { DATA_DIR: path.join(dir, `worker-${number}`) }),
      ),
  );
  const isReady = ({ baseUrl }: Member) =>
    waitUntilReady({ baseUrl, log: () => log.slice(-LOG_SHOWN) });
  const stop = async () => {
    for (const member of [...servers, ...workers]) {
      member.kill();
    }
    board.close();
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    // One after the other: the first start decides what the installation is.
    for (const server of servers) {
      server.start();
      await isReady(server);
    }
    for (const worker of workers) {
      worker.start();
    }
    const home = prepareHome(dir);
    const cluster: Cluster = {
      servers,
      workers,
      home,
      databaseEnvironment: {},
      setDatabaseAhead: (days) => {
        cluster.databaseEnvironment = toShiftedEnvironment(days);
        controlDatabase(cluster, "restart", "-m", "fast");
      },
      databaseProcesses: () => databaseProcesses({ home }),
      ownerUrl: database.ownerUrl,
      // Not through this process, which waits for the command.
      processorKey: createProcessorKey({ ...environment, DATABASE_URL: database.appUrl }),
      cut: () => board.leadTo(database.appUrl),
      log: () => log,
      ready: async () => {
        await Promise.all(servers.map(isReady));
      },
      stop,
    };
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

function createProcessorKey(environment: NodeJS.ProcessEnv): string {
  const args = ["bin/floatdeck.ts", "processor-key", "create", "--name", "Network", "--json"];
  const out = execFileSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: environment,
  });
  const { key }: { key: string } = JSON.parse(out);
  return key;
}
