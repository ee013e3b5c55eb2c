import { Registry } from "@prometheus-io/client";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { whileAway } from "#test/database/broken-database.ts";
import { holdAccount } from "#test/database/commit-queues.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import { HERE, notified, until } from "#test/outside/notifications.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import { tamper } from "#test/database/tamper.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { logLineDropped } from "#lib/base/signals.ts";
import { checkClock } from "#lib/operator/clock-skew.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { showDatabase } from "./database-figures.ts";
import { collectServer, collectWorker } from "./metrics.ts";
import { serveMetrics } from "./metrics-server.ts";
import { withTimeLimits } from "#db/time-limits.ts";

const ANYWHERE = { port: 0, host: "127.0.0.1" };
let collected: ReturnType<typeof collectServer>;
let served: Awaited<ReturnType<typeof serveMetrics>>;
let arePagesUp = true;

beforeAll(async () => {
  collected = collectServer(
    {
      isAnswering: () => arePagesUp,
      isLimited: () => !arePagesUp,
      readUsage: () => ({ memoryBytes: arePagesUp ? 3_000 : null, cpuSeconds: 7.5, restarts: 2 }),
    },
    undefined,
  );
  served = await serveMetrics(ANYWHERE, () => collected.scrape());
});

afterAll(async () => {
  await served.stop();
  await collected.stop();
});

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${served.port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return response.text();
}

/** The value of a series, written as in the text; undefined when there is none. */
async function read(series: string, text?: string): Promise<number | undefined> {
  const lines = (text ?? (await scrape())).split("\n");
  const found = lines.find((line) => line.startsWith(`${series} `));
  return found === undefined ? undefined : Number(found.slice(series.length + 1));
}

/** A figure of the database as it is now; a server keeps it for a few seconds. */
async function readFigure(series: string): Promise<number | undefined> {
  const registry = new Registry();
  await showDatabase(registry, testDatabase().db)();
  return read(series, await registry.metrics());
}

const credit = (cardId: string) => ({ card_id: cardId, amount: 1 });
const CREDIT = "PATCH /cards/credit/balance";

describe("requests", () => {
  test("are counted by operation, status, and code, and timed by operation", async () => {
    const { apiKey: key } = await newIntegrator(0);
    const before =
      (await read(
        'floatdeck_request_duration_seconds_count{operation="listCards",class="read"}',
      )) ?? 0;
    await call("GET /cards", { key });
    await call("GET /cards?limit=none", { key });
    const text = await scrape();
    expect(text).toMatch(
      /^floatdeck_requests_total\{operation="listCards",class="read",status="200",code="ok"\} \d+$/mu,
    );
    expect(text).toMatch(
      /^floatdeck_requests_total\{operation="listCards",class="read",status="422",code="validation_failed"\} 1$/mu,
    );
    const count = 'floatdeck_request_duration_seconds_count{operation="listCards",class="read"}';
    expect(await read(count, text)).toBe(before + 2);
  });

  test("of paths that do not exist are one operation, however many there are", async () => {
    for (const path of ["/x", "/y", "/cards/x/y"]) {
      await call(`GET ${path}`);
    }
    await call("POST /health/live");
    const text = await scrape();
    const unknown = text.match(
      /^floatdeck_requests_total\{operation="unknown",class="unknown".*$/gmu,
    );
    expect(unknown).toEqual([
      'floatdeck_requests_total{operation="unknown",class="unknown",status="404",code="path_unknown"} 3',
      'floatdeck_requests_total{operation="unknown",class="unknown",status="405",code="method_not_allowed"} 1',
    ]);
  });

  test("name no integrator, card, or key in any label", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    await call(CREDIT, { key: integrator.apiKey, body: credit(card.id) });
    await call(`GET /cards/${card.id}`, { key: integrator.apiKey });
    const text = await scrape();
    expect(text).not.toContain(integrator.id);
    expect(text).not.toContain(card.id);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/u);
  });
});

describe("commits", () => {
  test("show how many requests shared one, and how many wait for theirs", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const waiting = 'floatdeck_commit_queue_waiting{queue="funds"}';
    const requests = 'floatdeck_commit_batch_requests_sum{queue="funds"}';
    const batches = 'floatdeck_commit_batch_requests_count{queue="funds"}';
    const text = await scrape();
    const before = {
      requests: (await read(requests, text)) ?? 0,
      batches: (await read(batches, text)) ?? 0,
    };
    expect(await read(waiting, text)).toBe(0);
    const release = await holdAccount(card.id);
    const body = credit(card.id);
    const answers = [1, 2, 3].map(() => call(CREDIT, { key: integrator.apiKey, body }));
    await expect.poll(() => read(waiting)).toBe(2);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(requests)).toBe(before.requests + 3);
    expect(await read(batches)).toBe(before.batches + 2);
  });
});

test("declines are counted once by reason when they are committed, unknown cards included", async () => {
  expect(await read('floatdeck_declines_total{reason="insufficient_funds"}')).toBe(0);
  const processor = await newProcessorKey();
  const card = await newCard(await newIntegrator(0));
  const authorize = (reference: string, cardId: string) =>
    call("POST /processor/authorizations", {
      key: processor,
      body: { reference, card_id: cardId, amount: 100, currency: "USD" },
    });
  await authorize("declined", card.id);
  // A repeat gets the first answer, and declines nothing again.
  await authorize("declined", card.id);
  await authorize("unknown", "01890a5d-ac96-774b-bcce-b302099a8057");
  const text = await scrape();
  expect(await read('floatdeck_declines_total{reason="insufficient_funds"}', text)).toBe(1);
  expect(await read('floatdeck_declines_total{reason="card_unknown"}', text)).toBe(1);
});

test("webhooks: attempts by outcome, what is pending and for how long, and who sends", async () => {
  const receiver = await startReceiver(answer(500));
  const integrator = await notified(receiver);
  await expect
    .poll(() => readFigure('floatdeck_deliveries{state="pending"}'))
    .toBeGreaterThanOrEqual(1);
  await expect.poll(() => readFigure("floatdeck_delivery_overdue_seconds")).toBeGreaterThan(0);
  await expect
    .poll(() => readFigure("floatdeck_delivery_oldest_pending_seconds"))
    .toBeGreaterThan(0);
  const worker = startWorker(testDatabase().db, HERE);
  await expect
    .poll(() => read('floatdeck_webhook_attempts_total{outcome="server_failed"}'))
    .toBeGreaterThanOrEqual(1);
  await expect.poll(() => readFigure("floatdeck_webhook_workers")).toBe(1);
  // The next attempt is due later, so nothing waits for a worker.
  await expect.poll(() => readFigure("floatdeck_delivery_overdue_seconds")).toBe(0);
  receiver.behave(answer(200));
  await testDatabase().db.execute(
    sql`update webhook_deliveries set due_at = statement_timestamp() where endpoint_id = ${integrator.id}`,
  );
  await until(integrator, ({ state }) => state === "delivered");
  await expect
    .poll(() => read('floatdeck_webhook_attempts_total{outcome="ok"}'))
    .toBeGreaterThanOrEqual(1);
  await expect.poll(() => readFigure('floatdeck_deliveries{state="pending"}')).toBe(0);
  await worker.stop();
  await receiver.stop();
  await expect.poll(() => readFigure("floatdeck_webhook_workers")).toBe(0);
});

test("the books: how long ago they were checked, and whose do not balance", async () => {
  const { db } = testDatabase();
  const integrator = await newIntegrator(100);
  const wrong = `update ledger_accounts set balance = balance + 1 where integrator_id = '${integrator.id}' and kind = 'float'`;
  await tamper(wrong);
  await checkBooks(db, "full");
  await expect.poll(() => readFigure("floatdeck_ledger_unbalanced_integrators")).toBe(1);
  await tamper(wrong.replace("+ 1", "- 1"));
  await checkBooks(db, "full");
  await expect.poll(() => readFigure("floatdeck_ledger_unbalanced_integrators")).toBe(0);
  for (const extent of ["recent", "full"]) {
    const age = await readFigure(`floatdeck_ledger_check_age_seconds{extent="${extent}"}`);
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThan(600);
  }
});

test("the process: its pools, clock, pages, dropped lines of the log, memory, processor time, and event loop", async () => {
  await checkClock(testDatabase().db);
  arePagesUp = false;
  const text = await scrape();
  arePagesUp = true;
  logLineDropped.report(null);
  expect(await read("floatdeck_log_lines_dropped_total", text)).toBe(0);
  expect(await read("floatdeck_log_lines_dropped_total")).toBe(1);
  expect(await read("floatdeck_pages_up", text)).toBe(0);
  expect(await read("floatdeck_pages_up")).toBe(1);
  expect(await read("floatdeck_pages_limited", text)).toBe(1);
  expect(await read("floatdeck_pages_limited")).toBe(0);
  expect(await read("floatdeck_pages_memory_bytes", text)).toBeUndefined();
  expect(await read("floatdeck_pages_memory_bytes")).toBe(3_000);
  expect(await read("floatdeck_pages_cpu_seconds_total")).toBe(7.5);
  expect(await read("floatdeck_pages_restarts_total")).toBe(2);
  expect(await read("floatdeck_clock_skew_seconds", text)).toBe(0);
  expect(await read('floatdeck_pool_connections{pool="main",state="idle"}', text)).toBeGreaterThan(
    0,
  );
  expect(await read('floatdeck_pool_connections{pool="reads",state="in_use"}', text)).toBe(0);
  expect(await read('floatdeck_pool_waiting{pool="main"}', text)).toBe(0);
  for (const pool of ["main", "reads"]) {
    const roundTrips = `floatdeck_database_round_trips_total{pool="${pool}"}`;
    expect(await read(roundTrips, text)).toBeGreaterThan(0);
  }
  expect(await read("process_resident_memory_bytes", text)).toBeGreaterThan(0);
  expect(await read("process_cpu_seconds_total", text)).toBeGreaterThan(0);
  expect(await read("nodejs_eventloop_lag_p99_seconds", text)).toBeGreaterThan(0);
  expect(text).toMatch(/^floatdeck_info\{process="server",.*,version="[\d.]+"\} 1$/mu);
});

test("connections in use, and who waits for one, are counted while a pool is full", async () => {
  const { db, ownerUrl } = testDatabase();
  const owner = postgres(ownerUrl, { max: 1 });
  const LOCK = 4_711;
  await owner`select pg_advisory_lock(${LOCK})`;
  const held = sql`select pg_advisory_xact_lock_shared(${LOCK})`;
  // More than the pool of a test file has.
  const queries = Array.from({ length: 45 }, () => db.transaction((tx) => tx.execute(held)));
  await expect.poll(() => read('floatdeck_pool_connections{pool="main",state="in_use"}')).toBe(40);
  await expect.poll(() => read('floatdeck_pool_waiting{pool="main"}')).toBe(5);
  await owner.end();
  await Promise.all(queries);
});

test("a scrape answers while the database is down, without figures that may no longer be true", async () => {
  await expect.poll(() => read("floatdeck_database_up")).toBe(1);
  await expect.poll(() => read("floatdeck_webhook_workers")).toBe(0);
  await whileAway(async () => {
    await expect.poll(() => read("floatdeck_database_up")).toBe(0);
    const started = performance.now();
    const text = await scrape();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await read("floatdeck_webhook_workers", text)).toBeUndefined();
    expect(text).not.toMatch(/^floatdeck_(?:deliveries|delivery|ledger)/mu);
    expect(text).toMatch(/^floatdeck_requests_total/mu);
  });
  await expect.poll(() => read("floatdeck_database_up")).toBe(1);
  await expect.poll(() => read("floatdeck_webhook_workers")).toBe(0);
});

test("a scrape waits only for a moment for a database that does not answer", async () => {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const registry = new Registry();
  const refresh = showDatabase(registry, testDatabase().db);
  await owner.begin(async (tx) => {
    await tx`lock table books_checkpoints in access exclusive mode`;
    await withTimeLimits({ figures: 200 }, refresh);
    expect(await read("floatdeck_database_up", await registry.metrics())).toBe(0);
  });
  await owner.end();
});

test("however often they are scraped, the database's figures are read once in five seconds", async () => {
  const { db } = testDatabase();
  const transactions = vi.spyOn(db, "transaction");
  const refresh = showDatabase(new Registry(), db);
  await Promise.all([refresh(), refresh(), refresh()]);
  await refresh();
  expect(transactions).toHaveBeenCalledTimes(1);
  transactions.mockRestore();
});

test("a worker serves what it does and what the database says", async () => {
  const worker = collectWorker();
  const { text } = await worker.scrape();
  await worker.stop();
  expect(text).toMatch(/^floatdeck_info\{process="worker",.*,version="[\d.]+"\} 1$/mu);
  expect(await read('floatdeck_webhook_attempts_total{outcome="ok"}', text)).toBe(0);
  expect(await read("floatdeck_database_up", text)).toBe(1);
  expect(text).not.toContain("floatdeck_requests_total");
});
