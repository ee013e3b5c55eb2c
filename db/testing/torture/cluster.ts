import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { prepareHome } from "../../embedded-home.ts";
import type { DatabaseHome } from "../../embedded-home.ts";
import { startEmbedded } from "../../embedded.ts";
import { migrate } from "../../migrate.ts";
import { freePort, waitUntilReady } from "../faults/rig.ts";
import { Switchboard } from "../faults/switchboard.ts";
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

  constructor(baseUrl: string, launch: () => ChildProcess) {
    this.baseUrl = baseUrl;
    this.launch = launch;
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
  /** Closes all connections to the database. */
  cut(): void;
  /** The standard error of all processes. */
  log(): string;
  /** Resolves when every server is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
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
  const launch = (program: string[], settings: Record<string, string>) => () => {
    const child = spawn(process.execPath, program, {
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
    const program = ["bin/start.ts", "--empty", "--api-only"];
    servers.push(new Member(`http://127.0.0.1:${port}/api`, launch(program, settings)));
  }
  const workers = Array.from(
    { length: WORKERS },
    (_, number) =>
      new Member("", launch(["bin/worker.ts"], { DATA_DIR: path.join(dir, `worker-${number}`) })),
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
    return {
      servers,
      workers,
      home: prepareHome(dir),
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
