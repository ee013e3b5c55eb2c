import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { testDatabase } from "#test/database/database.ts";
import { events } from "#db/schema/events.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { issueApiKey, revokeApiKey, rotateApiKey } from "#lib/access/api-keys.ts";
import { announceKeyEnds } from "#lib/access/key-ends.ts";

let mine: TestIntegrator;

beforeEach(async () => {
  mine = await newIntegrator();
});

/** A key that ends in so many days. */
async function newKey(expiresInDays: number | null): Promise<string> {
  const key = { name: "Payroll", scopes: ["cards:read"], expiresInDays } as const;
  const { apiKey } = await write(mine, (ctx) => issueApiKey(ctx, key));
  return apiKey.id;
}

async function listAnnounced(): Promise<string[]> {
  const recorded = await readRecorded(
    and(eq(events.integratorId, mine.id), eq(events.event, "api_key.expiring")),
  );
  return recorded.map(({ data }) => String(data["id"]));
}

const sweep = () => announceKeyEnds(testDatabase().db);

test("a key is announced seven days before its end, and neither earlier nor without an end", async () => {
  const [soon] = [await newKey(7), await newKey(8), await newKey(null)];
  await sweep();
  expect(await listAnnounced()).toEqual([soon]);
});

test("any number of servers announce it once", async () => {
  const ids = [await newKey(1), await newKey(2), await newKey(3)];
  await Promise.all(Array.from({ length: 8 }, sweep));
  await sweep();
  expect((await listAnnounced()).toSorted()).toEqual(ids.toSorted());
});

test("a revoked key and one that has ended are not announced", async () => {
  const [revoked, ended] = [await newKey(1), await newKey(1)];
  await write(mine, (ctx) => revokeApiKey(ctx, revoked));
  await testDatabase().db.execute(sql`
    update api_keys set expires_at = clock_timestamp() where integrator_id = ${mine.id} and id = ${ended}`);
  await sweep();
  expect(await listAnnounced()).toEqual([]);
});

test("a rotation announces the end of the old key, again if it had been announced", async () => {
  const [endless, announced] = [await newKey(null), await newKey(6)];
  await sweep();
  expect(await listAnnounced()).toEqual([announced]);
  for (const id of [endless, announced]) {
    await write(mine, (ctx) => rotateApiKey(ctx, id, 2));
  }
  await sweep();
  const [, ...later] = await listAnnounced();
  // The key that replaces the one of six days lives six days, too.
  expect(later.filter((id) => [endless, announced].includes(id)).toSorted()).toEqual(
    [endless, announced].toSorted(),
  );
  expect(later).toHaveLength(3);
});

test("a rotation without an overlap announces nothing of the old key", async () => {
  const old = await newKey(null);
  await write(mine, (ctx) => rotateApiKey(ctx, old, 0));
  await sweep();
  expect(await listAnnounced()).toEqual([]);
});

test("keys keep real time, so moving the sandbox's clock announces none", async () => {
  await newKey(30);
  const body = { by_seconds: 25 * 86_400 };
  const moved = await call("POST /sandbox/clock/advance", { key: mine.apiKey, body });
  expect([moved.status, moved.text]).toEqual([200, moved.text]);
  await sweep();
  expect(await listAnnounced()).toEqual([]);
});
