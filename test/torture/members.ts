import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "#db/postmaster.ts";
import { bundle, toBundle } from "../../bin/bundle.mjs";
import { waitUntilReady } from "#test/faults/rig.ts";
import { listChildren } from "./memory.ts";
import type { Running } from "./memory.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../..");
/** Of every process of a run. */
export const SECRET = "a secret for nothing but this test run";

const LOG_SHOWN = 2_000;
const RESTART_MS = 500;

/** A server or a worker under a supervisor, which starts it again when it ends by itself, as one does without a database. */
export class Member {
  readonly baseUrl: string;
  /** How often it ended by itself. */
  exits = 0;
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
    const pages = listChildren(pid).filter(({ command }) => command.includes(toBundle("pages.ts")));
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
      this.exits += this.isWanted && this.child === child ? 1 : 0;
      setTimeout(() => {
        if (this.isWanted && this.child === child) {
          this.run();
        }
      }, RESTART_MS);
    });
  }
}

/** Servers and workers of one installation. */
export interface Members {
  servers: Member[];
  workers: Member[];
  processorKey: string;
  /** The standard error of all processes. */
  log(): string;
  /** Resolves when every server is ready. */
  ready(): Promise<void>;
  kill(): void;
}

/** What to start: `program` is how a server is started, with its pages or without. */
interface Wanted {
  servers: number;
  workers: number;
  program: readonly string[];
}

/** Starts them on a database without tables. @param dir for what each of them keeps. */
export async function startMembers(
  dir: string,
  urls: { appUrl: string; ownerUrl: string },
  wanted: Wanted,
): Promise<Members> {
  await bundle();
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: urls.appUrl,
    DATABASE_MIGRATION_URL: urls.ownerUrl,
    FLOATDECK_SECRET: SECRET,
    FLOATDECK_ENV: "sandbox",
    WORKER: "off",
    WEBHOOK_LOOPBACK: "on",
    // The programs say from which address they come.
    TRUSTED_PROXIES: "1",
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
  for (let number = 0; number < wanted.servers; number += 1) {
    const port = await findFreePort();
    const settings = { PORT: String(port), DATA_DIR: path.join(dir, `server-${number}`) };
    const at = { baseUrl: `http://127.0.0.1:${port}/api`, name: `server ${number}` };
    servers.push(new Member(at, launch(wanted.program, settings)));
  }
  const workers = Array.from(
    { length: wanted.workers },
    (_, number) =>
      new Member(
        { baseUrl: "", name: `worker ${number}` },
        launch([toBundle("worker.ts")], { DATA_DIR: path.join(dir, `worker-${number}`) }),
      ),
  );
  const isReady = ({ baseUrl }: Member) =>
    waitUntilReady({ baseUrl, log: () => log.slice(-LOG_SHOWN) });
  const kill = () => {
    for (const member of [...servers, ...workers]) {
      member.kill();
    }
  };
  process.once("exit", kill);
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
      processorKey: await createProcessorKey(environment, {
        cwd: ROOT,
        command: toBundle("floatdeck.ts"),
      }),
      log: () => log,
      ready: async () => {
        await Promise.all(servers.map(isReady));
      },
      kill,
    };
  } catch (error) {
    kill();
    throw error;
  }
}

/**
 * Creates a key of the card network by the operator's command.
 * @param program where the version is that the database has been migrated by, and the file of its command.
 */
export async function createProcessorKey(
  env: NodeJS.ProcessEnv,
  { cwd, command }: { cwd: string; command: string },
): Promise<string> {
  const args = [command, "processor-key", "create", "--name", "Network", "--json"];
  // Not waited for in one step: this process may be the proxy in front of the database.
  const { stdout } = await run(process.execPath, args, { cwd, env });
  const { key }: { key: string } = JSON.parse(stdout);
  return key;
}
