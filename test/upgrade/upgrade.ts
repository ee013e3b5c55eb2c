import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { verifyBooks } from "#lib/ledger/verify.ts";
import type { Discrepancy } from "#lib/ledger/verify.ts";
import { openDatabase } from "#db/client.ts";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { findFreePort } from "#db/postmaster.ts";
import { waitUntilReady } from "#test/faults/rig.ts";
import type { History } from "#test/torture/history.ts";
import { createProcessorKey, SECRET } from "#test/torture/members.ts";
import { workDuring } from "#test/torture/work-during.ts";
import { watchLocks } from "./lock-watch.ts";
import type { LockReport } from "./lock-watch.ts";
import type { UpgradeReport } from "./report.ts";
import { startSwitch } from "./switch.ts";
import type { Switch } from "./switch.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const LOG_SHOWN = 2_000;
/** Each sends through the proxy, which is the only server that it knows. */
const CUSTOMERS = [[0], [0], [0], [0], [0]];
/** How long each phase lasts: the old server alone, both of them, and the new one alone. */
const PHASE_MS = 10_000;
/** Only ends an upgrade that hangs. */
const READY_MS = 900_000;

/** One version that serves. */
interface Started {
  baseUrl: string;
  server: ChildProcess;
  readyMs: number;
}

/** What was seen of the servers. The last phase ends with the run. */
interface Replaced {
  readyMs: number;
  locks: LockReport;
  phases: { name: string; from: number }[];
}

interface Run {
  /** Where the old version is, installed and built. */
  checkout: string;
  /** A database that the old version has filled. */
  dataDir: string;
  seed: number;
}

/**
 * Upgrades under load: an old server serves, a new one starts beside it and migrates, both serve, and the old one stops.
 * Meanwhile, customers send every kind of request.
 */
export async function upgrade(
  { checkout, dataDir, seed }: Run,
  say: (text: string) => void,
): Promise<UpgradeReport> {
  const database = await startEmbedded(dataDir);
  const proxy = await startSwitch();
  const servers = new Servers(database, dataDir);
  try {
    const old = await servers.start(checkout);
    proxy.leadTo([old.baseUrl]);
    const place = {
      servers: [proxy],
      ownerUrl: database.ownerUrl,
      processorKey: await createProcessorKey(servers.environment, {
        cwd: checkout,
        command: "bin/floatdeck.ts",
      }),
      log: servers.log,
      ready: async () => void (await waitUntilReady({ baseUrl: proxy.baseUrl, log: servers.log })),
    };
    const { promise: replaced, resolve } = Promise.withResolvers<Replaced>();
    const { history, violations } = await workDuring(
      place,
      { seed, customers: CUSTOMERS },
      async () => resolve(await replaceServer(old, { servers, proxy, say })),
    );
    const { phases, ...seen } = await replaced;
    const { requests } = history;
    return {
      ...seen,
      rows: await countRows(database.ownerUrl),
      requests: requests.length,
      failed: countFailed(history, phases),
      slowestMs: Math.max(...requests.map(({ startedAt, endedAt }) => endedAt - startedAt)),
      violations,
      discrepancies: await sweep(database.ownerUrl),
    };
  } finally {
    servers.kill();
    proxy.stop();
    await database.stop();
  }
}

/** Starts the new version beside the old one, and stops the old one. */
async function replaceServer(
  old: Started,
  { servers, proxy, say }: { servers: Servers; proxy: Switch; say: (text: string) => void },
): Promise<Replaced> {
  const phases: Replaced["phases"] = [];
  const begin = (name: string) => {
    say(name);
    phases.push({ name, from: performance.now() });
  };
  begin("the old server serves alone");
  await sleep(PHASE_MS);
  begin("the new server starts and migrates");
  const watch = watchLocks(servers.ownerUrl);
  const next = await servers.start(ROOT);
  const locks = await watch.stop();
  begin("both serve");
  proxy.leadTo([old.baseUrl, next.baseUrl]);
  await sleep(PHASE_MS);
  begin("the new server serves alone");
  proxy.leadTo([next.baseUrl]);
  await sleep(PHASE_MS / 10);
  const gone = once(old.server, "exit");
  old.server.kill("SIGTERM");
  await gone;
  await sleep(PHASE_MS);
  return { readyMs: next.readyMs, locks, phases };
}

/** Counts the answers after which a program repeated its request, by the phase in which they came. */
function countFailed({ requests }: History, phases: Replaced["phases"]): UpgradeReport["failed"] {
  const setbacks = requests.flatMap((request) => request.setbacks);
  const kinds = Map.groupBy(setbacks, ({ status, code, at }) => {
    const phase = phases.findLast(({ from }) => from <= at)?.name ?? "before";
    return JSON.stringify({ phase, status, code });
  });
  return [...kinds].map(([kind, { length }]) => ({ ...JSON.parse(kind), count: length }));
}

/** The servers of a run: of the old version, and of this one. */
class Servers {
  readonly environment: NodeJS.ProcessEnv;
  readonly ownerUrl: string;
  private readonly dataDir: string;
  private readonly started: ChildProcess[] = [];
  private written = "";

  constructor(database: EmbeddedDatabase, dataDir: string) {
    this.ownerUrl = database.ownerUrl;
    this.dataDir = dataDir;
    this.environment = {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: database.appUrl,
      DATABASE_MIGRATION_URL: database.ownerUrl,
      FLOATDECK_SECRET: SECRET,
      FLOATDECK_ENV: "sandbox",
      // The customers' receiver is on this machine, and they say from which address they come.
      WEBHOOK_LOOPBACK: "on",
      TRUSTED_PROXIES: "1",
      NODE_ENV: "production",
    };
  }

  /** Resolves once the server is ready. Indexes of large tables take longer to build than one usually takes to start. */
  async start(cwd: string): Promise<Started> {
    const startedAt = performance.now();
    const port = await findFreePort();
    const server = spawn(process.execPath, ["bin/start.ts", "--empty", "--api-only"], {
      cwd,
      env: {
        ...this.environment,
        PORT: String(port),
        DATA_DIR: path.join(this.dataDir, `server-${port}`),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    server.stderr.on("data", (chunk: Buffer) => {
      this.written += chunk.toString();
    });
    this.started.push(server);
    const baseUrl = `http://127.0.0.1:${port}/api`;
    for (;;) {
      try {
        await waitUntilReady({ baseUrl, log: () => this.written.slice(-LOG_SHOWN), server });
        return { baseUrl, server, readyMs: performance.now() - startedAt };
      } catch (error) {
        if (server.exitCode !== null || performance.now() - startedAt > READY_MS) {
          throw error;
        }
      }
    }
  }

  /** The standard error of all of them. */
  readonly log = (): string => this.written;

  kill(): void {
    for (const server of this.started) {
      server.kill("SIGKILL");
    }
  }
}

async function countRows(ownerUrl: string): Promise<UpgradeReport["rows"]> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    return await sql<{ table: string; rows: number }[]>`
      select relname as table, reltuples::int as rows from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 100000 order by 2 desc`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function sweep(ownerUrl: string): Promise<Discrepancy[]> {
  const opened = openDatabase(ownerUrl, { max: 2 });
  try {
    return await verifyBooks(opened.db);
  } finally {
    await opened.close();
  }
}
