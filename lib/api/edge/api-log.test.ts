import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { apiLog, auditLog } from "#db/schema/events.ts";
import { flushApiLog, logRequest } from "#lib/api/edge/api-log.ts";
import type { LoggedRequest } from "#lib/api/edge/internal/api-log-rows.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";

let mine: TestIntegrator;
let other: TestIntegrator;

beforeAll(async () => {
  // Keep the rows that the database rejects out of the test output.
  log.level = "silent";
  mine = await newIntegrator();
  other = await newIntegrator();
});

function readLog(integrator: TestIntegrator) {
  return testDatabase()
    .db.select()
    .from(apiLog)
    .where(eq(apiLog.integratorId, integrator.id))
    .orderBy(apiLog.id);
}

async function readClock(): Promise<number> {
  const [row] = await testDatabase().db.execute<{ at: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
  );
  return row?.at ?? Number.NaN;
}

/** A row as recorded after a request was answered. */
function toRow(integratorId: string): LoggedRequest {
  return {
    integratorId,
    actor: null,
    operation: null,
    method: "GET",
    path: "/api/cards",
    status: 200,
    code: null,
    detail: null,
    cardId: null,
    durationMs: 1,
    waitedMs: 0,
    requestId: newId(),
    address: null,
    apiVersion: "0.5.0",
    idempotencyKey: null,
    replayed: false,
    bodies: { state: "off", request: null, response: null },
  };
}

describe("anything a caller puts into a request is logged in a form the database can store", () => {
  test.each([
    ["U+0000 in a query name", "/cards?a%00b=1"],
    ["U+0000 in an unknown name", "/cards?%00=1"],
    ["bytes that are not UTF-8 in a query name", "/cards?%ff%fe=1"],
    ["a lone surrogate in a query name", "/cards?%ed%a0%80=1"],
    ["U+0000 in the path", "/cards/%00"],
    ["bytes that are not UTF-8 in the path", "/cards/%ff%fe"],
    ["a lone surrogate in the path", "/cards/\ud800"],
    ["a path of 3,000 characters", `/cards/${"é".repeat(1_000)}`],
  ])("%s, and requests of other integrators are still logged", async (_name, path) => {
    const reply = await call(`GET ${path}`, {
      key: mine.apiKey,
      headers: { "User-Agent": "\u00ff\u0080 \u00a0" },
    });
    const later = await call("GET /cards", { key: other.apiKey });
    await flushApiLog();
    expect([404, 422]).toContain(reply.status);
    expect((await readLog(mine)).at(-1)).toMatchObject({
      status: reply.status,
      requestId: reply.headers.get("x-request-id"),
    });
    expect((await readLog(other)).at(-1)).toMatchObject({
      requestId: later.headers.get("x-request-id"),
    });
  });

  test("with 150 unknown names, the detail and `errors` list twenty, in at most 500 characters of detail", async () => {
    const members = Array.from({ length: 150 }, (_, at) => [`${at}${"x".repeat(30)}`, 1] as const);
    const reply = await call("PATCH /cards/credit/balance", {
      key: mine.apiKey,
      body: Object.fromEntries(members),
    });
    await flushApiLog();
    const { detail, errors } = reply.json as { detail: string; errors: object };
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail.match(/x{30}/gu)?.length ?? 0).toBeLessThanOrEqual(20);
    expect(Object.keys(errors)).toHaveLength(20);
    expect((await readLog(mine)).at(-1)).toMatchObject({ detail });
  });

  test("a staff member's refused change is in the audit log whatever characters its names contain", async () => {
    const owner = await newStaff(mine.id, "owner");
    const reply = await call("PATCH /card-integrators/update?a%00%ff=1", {
      headers: { ...owner.headers, "User-Agent": "\u00ff\u0080" },
      body: { domain: "quay.example" },
    });
    expect(reply.status).toBe(422);
    const [row] = await testDatabase()
      .db.select()
      .from(auditLog)
      .where(eq(auditLog.requestId, reply.headers.get("x-request-id") ?? ""));
    expect(row).toMatchObject({ action: "updateAccount.refused" });
  });
});

test("a row that the database rejects does not lose any other row", async () => {
  const quiet = await newIntegrator();
  for (let noted = 0; noted < 300; noted += 1) {
    // A nonexistent integrator, twice among valid rows.
    logRequest(toRow(noted === 7 || noted === 200 ? newId() : quiet.id));
  }
  await flushApiLog();
  expect(await readLog(quiet)).toHaveLength(298);
});

test("rows that arrive during a write wait for the next one, so that a busy server writes many at a time", async () => {
  const busy = await newIntegrator();
  logRequest(toRow(busy.id));
  const written = flushApiLog();
  // The write has taken its rows once it waits for the database.
  await Promise.resolve();
  logRequest(toRow(busy.id));
  await written;
  expect(await readLog(busy)).toHaveLength(1);
  await flushApiLog();
  expect(await readLog(busy)).toHaveLength(2);
});

test("a row carries the time of its request, however late it is written", async () => {
  const card = await newCard(mine);
  const before = await readClock();
  const reply = await call(`GET /cards/${card.id}`, { key: mine.apiKey });
  const after = await readClock();
  await expect.poll(readClock, { interval: 20, timeout: 30_000 }).toBeGreaterThan(after + 200);
  const flushedAt = performance.now();
  await flushApiLog();
  // A millisecond for rounding the duration, one for rounding the time, and the way of the database's clock to here.
  const error = 2 + performance.now() - flushedAt;
  const row = (await readLog(mine)).at(-1);
  expect(row).toMatchObject({ requestId: reply.headers.get("x-request-id") });
  const at = row?.createdAt.getTime() ?? Number.NaN;
  expect(at).toBeGreaterThanOrEqual(before - error);
  expect(at).toBeLessThanOrEqual(after + 2);
});
