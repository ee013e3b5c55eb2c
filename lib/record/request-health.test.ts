import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { RANGE_BOUNDS, toPercentile } from "#lib/record/duration-ranges.ts";
import { readRequestHealth } from "#lib/record/request-health.ts";

test("health counts every request of the last day once, by operation and by code", async () => {
  const mine = await newIntegrator();
  const other = await newIntegrator();
  const { id } = await newCard(mine);
  const by = { key: mine.apiKey };
  await call("GET /cards", by);
  await call("GET /cards", by);
  await call("GET /cards?limit=0", by);
  await call(`PATCH /cards/${id}/freeze`, by);
  await call("PATCH /cards/credit/balance", { ...by, body: { card_id: id, amount: 1 } });
  await call("GET /cards", { key: other.apiKey });
  await flushApiLog();
  // Counted on a day before the last.
  await testDatabase().db.execute(sql`
    insert into api_log_hours (integrator_id, hour, operation, code, range, requests)
    values (${mine.id}, date_trunc('hour', clock_timestamp() - interval '30 hours'), 'listCards', '', 3, 100)`);
  const { operations, codes } = await readRequestHealth(reading(mine));
  expect(
    operations.map(({ operation, requests, failures }) => [operation, requests, failures]),
  ).toEqual([
    ["listCards", 3, 1],
    ["creditCard", 1, 1],
    ["freezeCard", 1, 0],
  ]);
  expect(codes).toEqual(
    expect.arrayContaining([
      { operation: "listCards", code: "validation_failed", requests: 1 },
      { operation: "creditCard", code: "insufficient_float", requests: 1 },
    ]),
  );
  expect(codes).toHaveLength(2);
});

test("a request that waits for events is counted without the wait, and logged with it", async () => {
  const mine = await newIntegrator();
  const { json } = await call("GET /events?after=now", { key: mine.apiKey });
  const { next_cursor: cursor } = json as { next_cursor: string };
  await call(`GET /events?after=${cursor}&event=card.created&wait=1`, { key: mine.apiKey });
  await flushApiLog();
  const { operations } = await readRequestHealth(reading(mine));
  expect(operations).toMatchObject([{ operation: "listEvents", requests: 2 }]);
  expect(operations[0]?.p95Ms).toBeLessThan(900);
  const [longest] = await testDatabase().db.execute<{ ms: number }>(
    sql`select max(duration_ms) as ms from api_log where integrator_id = ${mine.id}`,
  );
  expect(longest?.ms).toBeGreaterThanOrEqual(990);
});

test("a percentile is at least the duration itself, and at most a fifth above it", () => {
  for (const ms of [0, 1, 7, 42, 999, 12_345]) {
    const counts = Array.from({ length: RANGE_BOUNDS.length + 1 }, () => 0);
    counts[RANGE_BOUNDS.filter((bound) => bound <= ms).length] = 10;
    const percentile = toPercentile(counts, 0.95);
    expect(percentile).toBeGreaterThanOrEqual(ms);
    expect(percentile).toBeLessThanOrEqual(ms * 1.2);
  }
});
