import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort } from "#db/postmaster.ts";

/** A server with a database that a test may freeze, apart from the one that all tests share. */
export interface OwnServer {
  url: string;
  dataDir: string;
  /** Everything it has logged so far. */
  readLog(): string;
  /** Stops the database's processes, as a machine that hangs does, while `work` runs. */
  whileFrozen(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it with the limits of time that people meet. */
export async function startOwnServer(): Promise<OwnServer> {
  const port = String(await findFreePort());
  const dataDir = path.join(tmpdir(), `floatdeck-own-${randomUUID()}`);
  const server = spawn(process.execPath, ["bin/throw-away.ts", "--empty"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      TIME_LIMIT_FACTOR: "1",
      TRUSTED_PROXIES: "1",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(server, "exit");
  // However this process ends.
  process.once("exit", () => server.kill());
  let log = "";
  server.stderr.setEncoding("utf8").on("data", (lines: string) => {
    log += lines;
  });
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([
    untilServed(`${url}/sign-in`),
    gone.then(() => Promise.reject(new Error(`The server did not start.\n${log}`))),
  ]);
  return {
    url,
    dataDir,
    readLog: () => log,
    whileFrozen: (work) => whileFrozen(dataDir, work),
    stop: async () => {
      server.kill();
      await gone;
    },
  };
}

async function untilServed(url: string): Promise<void> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  if (answer?.status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await untilServed(url);
  }
}

async function whileFrozen(dataDir: string, work: () => Promise<void>): Promise<void> {
  const frozen = listProcesses(dataDir);
  signal(frozen, "SIGSTOP");
  try {
    await work();
  } finally {
    signal(frozen, "SIGCONT");
  }
}

/** The postmaster first, so that it starts no other process meanwhile. */
function listProcesses(dataDir: string): number[] {
  const [postmaster = ""] = readFileSync(
    path.join(dataDir, "postgres/postmaster.pid"),
    "utf8",
  ).split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", postmaster], { encoding: "utf8" });
  return [postmaster, ...children.trim().split(/\s+/u)].map(Number);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    process.kill(pid, name);
  }
}
