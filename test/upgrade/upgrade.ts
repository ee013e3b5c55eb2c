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
import { Load, newClient } from "#test/faults/load.ts";
import type { Client } from "#test/faults/load.ts";
import { waitUntilReady } from "#test/faults/rig.ts";
import { watchLocks } from "./lock-watch.ts";
import type { UpgradeReport } from "./report.ts";
import { startSwitch } from "./switch.ts";
import type { Switch } from "./switch.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const SECRET = "a secret for nothing but this test run";
const CLIENTS = 4;
const PROGRAMS = 5;
const PAUSE_MS = 20;
/** How long each phase lasts: the old server alone, both of them, and the new one alone. */
const PHASE_MS = 10_000;
/** Only ends an upgrade that hangs. */
const READY_MS = 900_000;

/**
 * Upgrades under load: an old server serves, a new one starts beside it and migrates, both serve, and the old one stops.
 * @param checkout where the old version is, installed and built.
 * @param dataDir a database that the old version has filled.
 */
export async function upgrade(
  { checkout, dataDir }: { checkout: string; dataDir: string },
  say: (text: string) => void,
): Promise<UpgradeReport> {
  const database = await startEmbedded(dataDir);
  const proxy = await startSwitch();
  const servers: ChildProcess[] = [];
  const start = async (cwd: string) => {
    const port = await findFreePort();
    const { child, log } = launch(cwd, { port, database, dataDir });
    servers.push(child);
    const baseUrl = `http://127.0.0.1:${port}/api`;
    const readyMs = await untilReady({ baseUrl, log, server: child });
    return { baseUrl, child, readyMs };
  };
  try {
    const old = await start(checkout);
    proxy.leadTo([old.baseUrl]);
    const clients = await newClients(proxy);
    const loads = clients.map(
      (client) => new Load(proxy, client, { count: PROGRAMS, pauseMs: PAUSE_MS }),
    );
    const phases = new Phases(loads);
    say("the old server serves alone");
    await sleep(PHASE_MS);
    phases.end("the old server alone");
    const watch = watchLocks(database.ownerUrl);
    say("the new server starts and migrates");
    const next = await start(ROOT);
    phases.end("while the new server migrated");
    const locks = await watch.stop();
    proxy.leadTo([old.baseUrl, next.baseUrl]);
    say("both serve");
    const others = await tryOthers(old.baseUrl, clients);
    await sleep(PHASE_MS);
    phases.end("both");
    proxy.leadTo([next.baseUrl]);
    await sleep(PHASE_MS / 10);
    const gone = once(old.child, "exit");
    old.child.kill("SIGTERM");
    await gone;
    say("the new server serves alone");
    await sleep(PHASE_MS);
    await Promise.all(loads.map((load) => load.stop()));
    phases.end("the new server alone");
    return {
      rows: await countRows(database.ownerUrl),
      readyMs: next.readyMs,
      locks,
      credits: loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
      failed: phases.failed,
      slowestMs: Math.max(...loads.flatMap(({ seen }) => seen.map(({ ms }) => ms))),
      old: others,
      lost: await countLost(database.ownerUrl, loads),
      discrepancies: await sweep(database.ownerUrl),
    };
  } finally {
    for (const server of servers) {
      server.kill("SIGKILL");
    }
    proxy.stop();
    await database.stop();
  }
}

/** Indexes of large tables take longer to build than a server usually takes to start. */
async function untilReady(server: Parameters<typeof waitUntilReady>[0]): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await waitUntilReady(server);
      return performance.now() - startedAt;
    } catch (error) {
      if ((server.server?.exitCode ?? null) !== null || performance.now() - startedAt > READY_MS) {
        throw error;
      }
    }
  }
}

function launch(
  cwd: string,
  { port, database, dataDir }: { port: number; database: EmbeddedDatabase; dataDir: string },
): { child: ChildProcess; log(): string } {
  let log = "";
  const child = spawn(process.execPath, ["bin/start.ts", "--empty", "--api-only"], {
    cwd,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: path.join(dataDir, `server-${port}`),
      DATABASE_URL: database.appUrl,
      DATABASE_MIGRATION_URL: database.ownerUrl,
      FLOATDECK_SECRET: SECRET,
      FLOATDECK_ENV: "sandbox",
      NODE_ENV: "production",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  return { child, log: () => log };
}

async function newClients(proxy: Switch): Promise<Client[]> {
  const clients: Client[] = [];
  for (let made = 0; made < CLIENTS; made += 1) {
    clients.push(await newClient(proxy));
  }
  return clients;
}

/** Counts what failed between one moment and the next. */
class Phases {
  readonly failed: UpgradeReport["failed"] = [];
  private readonly loads: readonly Load[];
  private counted: number[];

  constructor(loads: readonly Load[]) {
    this.loads = loads;
    this.counted = loads.map(() => 0);
  }

  end(phase: string): void {
    const seen = this.loads.flatMap((load, index) => load.seen.slice(this.counted[index]));
    this.counted = this.loads.map((load) => load.seen.length);
    const failed = seen.filter(({ status }) => status !== 200);
    const kinds = Map.groupBy(failed, ({ status, code }) => `${status} ${code}`);
    for (const [first, ...rest] of kinds.values()) {
      if (first) {
        this.failed.push({ phase, status: first.status, code: first.code, count: rest.length + 1 });
      }
    }
  }
}

/** Every client tries one more operation on the old server, beside its credits. */
async function tryOthers(
  baseUrl: string,
  clients: readonly Client[],
): Promise<UpgradeReport["old"]> {
  const [client] = clients;
  if (!client) {
    return [];
  }
  const { cardId, headers } = client;
  const send = async (operation: string, [method, place]: [string, string], body?: unknown) => {
    const answer = await fetch(`${baseUrl}${place}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.text();
    return { operation, status: answer.status };
  };
  return [
    await send("read a card", ["GET", `/cards/${cardId}`]),
    await send("list transactions", ["GET", "/transactions?limit=20"]),
    await send("read the float", ["GET", "/card-integrators/float"]),
    await send("read events", ["GET", "/events?limit=20"]),
    await send("top up", ["PATCH", "/card-integrators/top-up-float"], { amount: 1 }),
    await send("debit", ["PATCH", "/cards/debit/balance"], { card_id: cardId, amount: 1 }),
    await send("purchase", ["POST", `/cards/${cardId}/mock-transaction`], {
      type: "deduct",
      amount: 1,
    }),
    await send("update the account", ["PATCH", "/card-integrators/update"], {
      domain: "a.example",
    }),
    await send(
      "register a cardholder",
      ["POST", `/card-integrators/${client.integratorId}/register-user`],
      {
        address: {
          city: "Accra",
          country: "GH",
          line1: "2 Ring Road",
          state: "AA",
          zip_code: "00233",
        },
        email: "kim@northwind.example",
        first_name: "Kim",
        last_name: "Osei",
        id_number: "X1234567",
        id_type: "passport",
        phone_number: "+233200000000",
      },
    ),
  ];
}

async function countLost(ownerUrl: string, loads: readonly Load[]): Promise<number> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const keys = loads.flatMap(({ acknowledged }) => acknowledged);
    const [row] = await sql`
      select count(*)::int as lost from (
        select from unnest(${keys}::text[]) k(key) left join transfers t on t.idempotency_key = k.key
        group by k.key having count(t.id) <> 1
      ) each`;
    return Number(row?.["lost"]);
  } finally {
    await sql.end({ timeout: 1 });
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
