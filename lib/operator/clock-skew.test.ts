import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { asc, desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { cardStateChanges } from "#db/schema/cards.ts";
import { transactions } from "#db/schema/transactions.ts";
import { listAudit } from "#lib/record/audit.ts";
import { listEvents, listRecentEvents } from "#lib/webhooks/event-reads.ts";
import { getOverview } from "#lib/overview/overview.ts";

const DAY_MS = 86_400_000;
const ROUNDS = 4;

let integrator: TestIntegrator;
let cardId: string;
let server: ChildProcess;
let baseUrl: string;
let log = "";

/** Receives the other server's next message to us. */
async function hear(): Promise<unknown> {
  const [message] = await once(server, "message");
  return message;
}

async function setClock(shiftMs: number): Promise<void> {
  const heard = hear();
  server.send({ shiftMs });
  await heard;
}

/** Sends the same request to the server with the wrong clock. */
async function callOther(line: string, body?: object): Promise<{ status: number; json: unknown }> {
  const [method = "GET", path = ""] = line.split(" ");
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${integrator.apiKey}`,
      ...(body ? { "Content-Type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, json: await response.json() };
}

const credit = (amount: number) => ({ card_id: cardId, amount });
const LINE = "PATCH /cards/credit/balance";

/** Amounts increase with each credit, whichever server it uses, and so does everything recorded for it. */
const AMOUNTS = Array.from({ length: 2 * ROUNDS }, (_, index) => index + 1);
const NEWEST_FIRST = AMOUNTS.toReversed();

beforeAll(async () => {
  integrator = await newIntegrator(100_000);
  cardId = (await newCard(integrator)).id;
  server = spawn(
    process.execPath,
    [
      "--import",
      "./test/outside/shifted-clock.ts",
      "test/outside/shifted-server.ts",
      testDatabase().url,
    ],
    {
      env: { ...process.env, CLOCK_SHIFT_MS: String(DAY_MS) },
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    },
  );
  server.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const place = await hear();
  baseUrl = `http://127.0.0.1:${Object(place).port}/api`;
  for (const amount of AMOUNTS) {
    if (amount === ROUNDS + 1) {
      await setClock(0);
    }
    const body = credit(amount);
    const reply =
      amount % 2 === 1
        ? await callOther(LINE, body)
        : await call(LINE, { key: integrator.apiKey, body });
    expect(reply.status).toBe(200);
  }
});

afterAll(async () => {
  const ended = once(server, "exit");
  server.disconnect();
  await ended;
});

test("a server whose clock jumps a day ahead and back hides nothing from lists and exports", async () => {
  const now = Date.now();
  const range = new URLSearchParams({
    from: new Date(now - 600_000).toISOString(),
    to: new Date(now + 600_000).toISOString(),
  });
  const key = integrator.apiKey;
  const listed = await call(`GET /transactions?limit=100&${range}`, { key });
  expect(listed.json).toMatchObject({ data: NEWEST_FIRST.map((amount) => ({ amount })) });
  const page = await call("GET /transactions?limit=1", { key });
  expect(page.json).toMatchObject({ data: [{ amount: AMOUNTS.length }] });
  const file = await call(`GET /exports/transactions?${range}`, { key });
  expect(file.text.trim().split("\r\n")).toHaveLength(1 + AMOUNTS.length);
  const { days } = await getOverview(reading(integrator), "UTC");
  const outflow = AMOUNTS.reduce((sum, amount) => sum + amount, 0);
  expect(days.at(-1)).toMatchObject({ outflow, closing: 100_000 - outflow });
});

test("transaction ids contain their time, and no two times of a card are equal", async () => {
  const { db } = testDatabase();
  const rows = await db
    .select({ id: transactions.id, at: transactions.createdAt })
    .from(transactions)
    .where(eq(transactions.integratorId, integrator.id))
    .orderBy(asc(transactions.accountVersion));
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted());
  for (const { id, at } of rows) {
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(at.getTime());
  }
});

function amountOf({ body }: { body: string }): number {
  return Number(JSON.parse(body).data.amount);
}

test("events and audit rows are in the order in which things happened", async () => {
  const ctx = reading(integrator);
  const recent = await listRecentEvents(ctx, { event: "card.credited", limit: 100 });
  expect(recent.rows.map(amountOf)).toEqual(NEWEST_FIRST);
  // The feed waits for the oldest open transaction of every database on this PostgreSQL server.
  const readFeed = async () =>
    (await listEvents(ctx, { events: ["card.credited"], limit: 100 })).rows.map(amountOf);
  await expect.poll(readFeed, { timeout: 20_000 }).toEqual(AMOUNTS);
  const audit = await listAudit(ctx, { action: "card.credited", limit: 100 });
  expect(audit.rows.map(({ after }) => after?.["amount"])).toEqual(NEWEST_FIRST);
});

test("freezes of a card by both servers stay in order", async () => {
  await setClock(DAY_MS);
  const key = integrator.apiKey;
  expect((await callOther(`PATCH /cards/${cardId}/freeze`)).status).toBe(200);
  expect((await call(`PATCH /cards/${cardId}/unfreeze`, { key })).status).toBe(200);
  const rows = await testDatabase()
    .db.select({ to: cardStateChanges.toStatus })
    .from(cardStateChanges)
    .where(eq(cardStateChanges.integratorId, integrator.id))
    .orderBy(desc(cardStateChanges.id));
  expect(rows.map(({ to }) => to)).toEqual(["active", "frozen", "active"]);
});

test("a server whose clock is off reports it in its log and its readiness, and keeps serving", async () => {
  const warning = expect.stringMatching(
    /^This server's clock is 8\d{4}\.\d s ahead of the database's/u,
  );
  await setClock(DAY_MS);
  expect(await callOther("GET /health/ready")).toEqual({
    status: 200,
    json: { status: "ready", release: expect.any(String), warnings: [warning] },
  });
  expect(log).toMatch(/"level":40.*"skewMs":86\d{6},"msg":"This server's clock is/u);
  await setClock(-DAY_MS);
  expect((await callOther("GET /health/ready")).json).toMatchObject({
    warnings: [expect.stringContaining("s behind the database's")],
  });
  await setClock(1_500);
  expect(await callOther("GET /health/ready")).toEqual({
    status: 200,
    json: { status: "ready", release: expect.any(String), warnings: [] },
  });
  expect(log).toContain("agrees with the database's again");
});
