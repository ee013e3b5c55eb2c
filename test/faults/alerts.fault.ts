import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkBooks, BOOKS_LOCKS } from "#lib/ledger/monitor.ts";
import { openDatabase } from "#db/client.ts";
import { findFreePort } from "#db/postmaster.ts";
import { fillTable } from "#test/database/full-disk.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { hasPackages } from "#test/run/packages.ts";
import { toBundle } from "../../bin/bundle.mjs";
import { recordTests } from "./worker-rig.ts";
import { hold } from "./hold.ts";
import { credit, newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { readAlertGroups, startPrometheus } from "./prometheus.ts";
import type { Prometheus } from "./prometheus.ts";
import { lockCards } from "./lock-cards.ts";
import { killPages } from "./pages-of.ts";
import { controlDatabase, startRig } from "./rig.ts";
import type { AnotherServer, Rig } from "./rig.ts";
import { takeConnections } from "./taken-connections.ts";

/**
 * Every alert about Floatdeck, with the fault that it is about: a real Prometheus scrapes a real server and a real worker,
 * and the alert fires. Faults that do not disturb each other exist at the same time.
 */

const ROOT = path.join(import.meta.dirname, "../..");
const isInstalled = hasPackages("prometheus");

const EVENTS = 400;
/** More than the hundred that must have been sent for their absence to count. */
const READS = 300;
const CLOCK_SHIFT_MS = 5_000;
/** The lock of `keep_api_log`. */
const API_LOG_LOCK = 7_203_124;
/** The event loop stands still most of the time. */
const STILL_MS = 600;
const MOVING_MS = 150;
/** The pages are restarted sooner or later, and killed again. */
const KILL_PERIOD_MS = 100;

let rig: Rig;
let owner: Sql;
let receiver: Receiver;
let client: Client;
let wronged: Client;
let server: AnotherServer;
let worker: ChildProcess | undefined;
/** Where each is scraped. */
let serverPlace = "";
let workerPlace = "";
let prometheus: Prometheus;
const provoked = new Set<string>();
const endings: (() => void)[] = [];

function provokes(alert: string, provoke: () => Promise<void>): void {
  provoked.add(alert);
  test.skipIf(!isInstalled)(`${alert} fires`, async () => {
    await expect(provoke()).resolves.toBeUndefined();
  });
}

/** Changes the books behind the checks' back. */
async function tamper(amount: number): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update ledger_accounts set balance = balance + ${amount}
      where integrator_id = ${wronged.integratorId} and kind = 'float'`;
  });
}

async function check(): Promise<void> {
  const opened = openDatabase(rig.database.ownerUrl, { max: 1 });
  await checkBooks(opened.db, "full");
  await opened.close();
}

beforeAll(async () => {
  if (!isInstalled) {
    return;
  }
  // Without a worker anywhere.
  rig = await startRig({ environment: { WORKER: "off", WEBHOOK_LOOPBACK: "on" } });
  owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  receiver = await startReceiver(answer(500));
  client = await newClient(rig);
  wronged = await newClient(rig);
  await makeLateRows();
  [serverPlace, workerPlace] = [await newPlace(), await newPlace()];
  server = await rig.startAnother({
    METRICS_PORT: portOf(serverPlace),
    // A server whose clock is wrong.
    NODE_OPTIONS: `--import=${path.join(ROOT, "test/outside/shifted-clock.ts")}`,
    CLOCK_SHIFT_MS: String(CLOCK_SHIFT_MS),
  });
  prometheus = await startPrometheus("floatdeck.rules.yml", [
    { job_name: "floatdeck", static_configs: [{ targets: [serverPlace, workerPlace] }] },
  ]);
  await prometheus.untilScraped(1);
});

async function newPlace(): Promise<string> {
  return `127.0.0.1:${await findFreePort()}`;
}

function portOf(place: string): string {
  return place.slice(place.indexOf(":") + 1);
}

/** What takes hours to come about: rows as if nothing had been checked, removed, or sent since. */
async function makeLateRows(): Promise<void> {
  await fetch(`${rig.baseUrl}/card-integrators/update`, {
    method: "PATCH",
    headers: client.headers,
    body: JSON.stringify({ webhook_url: receiver.url }),
  });
  await owner`update webhook_deliveries set due_at = due_at - interval '2 minutes'`;
  await tamper(1);
  await check();
  // From now on, the check of each minute finds that another one is running.
  endings.push(await hold(rig, `select pg_advisory_xact_lock(${BOOKS_LOCKS.recent})`));
  await owner`update books_checkpoints set checked_at = checked_at - interval '10 minutes'`;
  await owner`insert into sign_in_failures (id, name_hash, address, created_at)
    values (gen_random_uuid(), 'none', '192.0.2.1', now() - interval '30 days 2 hours')`;
  await owner`
    insert into unmatched_facts (id, reference, operation, fingerprint, message, reason, api_key_id, request_id)
    select gen_random_uuid(), 'none', 'createPosting', 'none', '{"amount":1}', 'card_not_found', id, 'none' from api_keys limit 1`;
  await owner`insert into messages (integrator_id, id, kind, email, state)
    values (${client.integratorId}, gen_random_uuid(), 'staff.invited', 'none', 'failed')`;
  // Expired rows cannot be removed.
  endings.push(await hold(rig, "lock table sign_in_failures in share mode"));
  await dropWeeks();
}

/** The API log has no week left, and nobody can add one. */
async function dropWeeks(): Promise<void> {
  endings.push(await hold(rig, `select pg_advisory_xact_lock(${API_LOG_LOCK})`));
  const weeks = await owner<{ name: string }[]>`
    select name from api_log_partitions() where ends_at is not null`;
  for (const { name } of weeks) {
    await owner`drop table ${owner(name)}`;
  }
}

afterAll(async () => {
  if (!isInstalled) {
    return;
  }
  for (const end of endings) {
    end();
  }
  prometheus.stop();
  worker?.kill("SIGKILL");
  await tamper(-1);
  expect(await rig.sweep()).toEqual([]);
  await owner.end();
  await receiver.stop();
  await rig.stop();
});

for (const alert of [
  "FloatdeckBooksUnbalanced",
  "FloatdeckUnmatchedFacts",
  "FloatdeckLedgerCheckLate",
  "FloatdeckNoWebhookWorker",
  "FloatdeckWebhooksLate",
  "FloatdeckMessagesLate",
  "FloatdeckClockSkew",
  "FloatdeckRetentionLate",
  "FloatdeckApiLogUnpartitioned",
  "FloatdeckWatchdog",
]) {
  provokes(alert, () => prometheus.untilFiring(alert));
}

provokes("FloatdeckWebhooksFailing", async () => {
  const opened = openDatabase(rig.database.appUrl, { max: 1 });
  await recordTests(opened.db, client.integratorId, EVENTS);
  await opened.close();
  // As if nothing had been sent for two minutes.
  await owner`update webhook_deliveries set created_at = created_at - interval '2 minutes'`;
  worker = spawn(process.execPath, [toBundle("worker.ts")], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATA_DIR: rig.home.data,
      DATABASE_URL: rig.database.appUrl,
      FLOATDECK_SECRET: "a secret for nothing but this test run",
      METRICS_PORT: portOf(workerPlace),
      WEBHOOK_LOOPBACK: "on",
    },
    stdio: "ignore",
  });
  await prometheus.untilFiring("FloatdeckWebhooksFailing");
});

provokes("FloatdeckWebhooksSlow", () => prometheus.untilFiring("FloatdeckWebhooksSlow"));

provokes("FloatdeckChangesStopped", async () => {
  await owner`update installation set read_only_since = now() - interval '2 hours'`;
  await prometheus.untilFiring("FloatdeckChangesStopped");
  await owner`update installation set read_only_since = null`;
});

/** One fault: somebody keeps a lock on the cards. Every change of a card waits for it, until it gives up. */
let stuck: { end(): Promise<void> } | undefined;

for (const alert of [
  "FloatdeckCommitQueueLong",
  "FloatdeckPoolExhausted",
  "FloatdeckServerErrors",
  "FloatdeckErrorsLinger",
  "FloatdeckRequestsSlow",
  "FloatdeckSlow",
]) {
  provokes(alert, async () => {
    stuck ??= await lockCards(rig, { server, client });
    await prometheus.untilFiring(alert);
  });
}

provokes("FloatdeckConnectionsLow", async () => {
  await stuck?.end();
  const release = await takeConnections(rig.database.appUrl);
  await prometheus.untilFiring("FloatdeckConnectionsLow").finally(release);
});

provokes("FloatdeckTrafficLost", async () => {
  for (let sent = 0; sent < READS; sent += 1) {
    await fetch(`${server.baseUrl}/cards?limit=1`, { headers: client.headers });
  }
  await prometheus.untilFiring("FloatdeckTrafficLost");
});

provokes("FloatdeckFeedLate", async () => {
  const release = await hold(rig, "select pg_current_xact_id()");
  await prometheus.untilFiring("FloatdeckFeedLate");
  release();
});

provokes("FloatdeckDatabaseFull", async () => {
  await owner.unsafe(fillTable("entries"));
  await whileFaulty("FloatdeckDatabaseFull", () => credit(server, client, null));
  await owner`drop trigger full_disk on entries`;
});

provokes("FloatdeckEventLoopBlocked", async () => {
  await whileFaulty("FloatdeckEventLoopBlocked", async () => {
    server.server.kill("SIGSTOP");
    await sleep(STILL_MS);
    server.server.kill("SIGCONT");
    await sleep(MOVING_MS);
  });
});

provokes("FloatdeckPagesDown", async () => {
  await whileFaulty("FloatdeckPagesDown", async () => {
    killPages(server.server);
    await sleep(KILL_PERIOD_MS);
  });
});

/** Repeats the fault until the alert fires. */
async function whileFaulty(alert: string, fault: () => Promise<unknown>): Promise<void> {
  const fired = new AbortController();
  const repeating = (async () => {
    while (!fired.signal.aborted) {
      await fault();
    }
  })();
  await prometheus.untilFiring(alert).finally(() => fired.abort());
  await repeating;
}

provokes("FloatdeckDatabaseDown", async () => {
  controlDatabase(rig, "stop", "-m", "immediate");
  await prometheus.untilFiring("FloatdeckDatabaseDown");
  controlDatabase(rig, "restart");
});

provokes("FloatdeckDown", async () => {
  const gone = once(server.server, "exit");
  server.server.kill("SIGKILL");
  await gone;
  await prometheus.untilFiring("FloatdeckDown", serverPlace);
});

test("every alert is provoked", () => {
  const alerts = readAlertGroups("floatdeck.rules.yml").flatMap((group) => group.alerts);
  expect([...provoked].toSorted()).toEqual(alerts.toSorted());
});
