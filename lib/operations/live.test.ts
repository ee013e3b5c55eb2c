import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newProcessorKey, reading } from "#test/scene/fixtures.ts";
import { declineFor, eventsOf, expireNow, holdId } from "#test/scene/spending.ts";
import { apiLog } from "#db/schema/events.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { newId } from "#lib/base/ids.ts";
import { getCard } from "#lib/cards/card-reads.ts";

const LIVE = vi.hoisted(() => ({
  FLOATDECK_ENV: "live",
  DATABASE_URL: "postgres://a@b/c",
  TIME_LIMIT_FACTOR: "",
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, LIVE);
});

let key: string;

// Each second allows a hundred more requests. The clock stands still here, however long they take.
beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());

beforeAll(async () => {
  key = await newLiveKey();
});

async function newLiveKey(): Promise<string> {
  return (await newIntegrator(0, "live")).apiKey;
}

test.each(
  OPERATIONS.filter(({ sandboxOnly }) => sandboxOnly).map((each) => [each.id, each] as const),
)("%s exists in sandbox only", async (_id, { method, path }) => {
  const body = method === "GET" ? {} : { body: {} };
  const reply = await call(`${method} ${path}`, { key, ...body });
  expect(reply).toMatchObject({ status: 403, json: { code: "sandbox_only" } });
});

test("a sandbox key is not accepted here", async () => {
  const sandbox = await newIntegrator();
  expect((await call("GET /cards", { key: sandbox.apiKey })).status).toBe(401);
  expect((await call("GET /cards", { key })).status).toBe(200);
});

test("funds are added to a float as the card processor reports them", async () => {
  const integrator = await newIntegrator(0, "live");
  const reply = await call("POST /processor/funding", {
    key: await newProcessorKey("live"),
    body: { reference: newId(), integrator_id: integrator.id, amount: 5_000 },
  });
  expect(reply).toMatchObject({ status: 200, json: { data: { balance: 5_000 } } });
});

test("no authorization expires early and no decline is forced, not even past the API", async () => {
  const integrator = await newIntegrator(0, "live");
  await call("POST /processor/funding", {
    key: await newProcessorKey("live"),
    body: { reference: newId(), integrator_id: integrator.id, amount: 500 },
  });
  const card = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId: card.id, amount: 100 });
  const before = await eventsOf(integrator, card.id);
  const refused = { code: "sandbox_only" };
  await expect(expireNow(integrator, id, card.id)).rejects.toMatchObject(refused);
  const decline = declineFor(integrator, "card_frozen", { cardId: card.id, amount: 1 });
  await expect(decline).rejects.toMatchObject(refused);
  expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 500, held: 100 });
  expect(await eventsOf(integrator, card.id)).toEqual(before);
});

test("notifications are sent over https only", async () => {
  for (const url of ["http://hooks.example.com/in", "http://127.0.0.1:9000/"]) {
    const reply = await call("PATCH /card-integrators/update", { key, body: { webhook_url: url } });
    expect(reply).toMatchObject({
      status: 422,
      json: { errors: { webhook_url: [expect.any(String)] } },
    });
  }
  const secure = await call("PATCH /card-integrators/update", {
    key,
    body: { webhook_url: "https://hooks.example.com/in" },
  });
  expect(secure.status).toBe(200);
});

test("the API log keeps no bodies until the account turns that on", async () => {
  const integrator = await newIntegrator(0, "live");
  const ask = async () => {
    const reply = await call("GET /card-integrators/me", { key: integrator.apiKey });
    return { ...reply, id: reply.headers.get("x-request-id") };
  };
  const before = await ask();
  expect(before).toMatchObject({ json: { data: { log_bodies: false } } });
  await call("PATCH /card-integrators/settings", {
    key: integrator.apiKey,
    body: { log_bodies: true },
  });
  const after = await ask();
  await flushApiLog();
  const rows = await testDatabase()
    .db.select({ id: apiLog.requestId, bodies: apiLog.bodies })
    .from(apiLog)
    .where(eq(apiLog.integratorId, integrator.id));
  expect(rows).toHaveLength(3);
  expect(rows).toContainEqual({ id: before.id, bodies: "off" });
  expect(rows).toContainEqual({ id: after.id, bodies: "kept" });
});

test("a burst beyond two hundred requests is refused, with its remaining quota", async () => {
  const busy = await newLiveKey();
  const ask = () => call("GET /card-integrators/me", { key: busy });
  // The first request looks the key up, so that none of the others waits for the database to
  // identify it.
  const replies = [await ask(), ...(await Promise.all(Array.from({ length: 249 }, ask)))];
  const limited = replies.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(50);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(200);
  for (const reply of [replies[0], limited[0]]) {
    expect(reply?.headers.get("ratelimit-policy")).toMatch(/^"[\w-]+";q=\d+;w=\d+$/u);
    expect(reply?.headers.get("ratelimit")).toMatch(/^"[\w-]+";r=\d+;t=\d+$/u);
  }
  expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  const other = await call("GET /card-integrators/me", { key });
  expect(other.status).toBe(200);
  vi.advanceTimersByTime(1_000);
  const later = await call("GET /card-integrators/me", { key: busy });
  expect(later.status).toBe(200);
});
