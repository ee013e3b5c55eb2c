import { sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { listDeprecations } from "#lib/operations/deprecations/list-deprecations.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { FUNDS } from "#lib/api/commit/procedures.ts";
import { log } from "#lib/base/log.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import type { DeprecatedOperation } from "#lib/api/wire/deprecations.ts";

describe("versions", () => {
  test("every answer names its version: the account's pinned version unless the request names one", async () => {
    const { apiKey: key } = await newIntegrator();
    const pinned = await call("GET /card-integrators/me", { key });
    expect(pinned.headers.get("api-version")).toBe("0.5.0");
    const requested = await call("GET /card-integrators/me", {
      key,
      headers: { "Api-Version": "0.2.0" },
    });
    expect(requested.headers.get("api-version")).toBe("0.2.0");
  });

  test("a change of the pinned version applies from the next request on", async () => {
    const { apiKey: key } = await newIntegrator();
    await call("PATCH /card-integrators/settings", { key, body: { api_version: "0.2.0" } });
    const reply = await call("GET /card-integrators/me", { key });
    expect(reply.headers.get("api-version")).toBe("0.2.0");
  });

  test.each(["0.2.0", "0.5.0"])(
    "v%s, with the specification's v, is a version",
    async (version) => {
      const { apiKey: key } = await newIntegrator();
      const reply = await call("GET /card-integrators/me", {
        key,
        headers: { "Api-Version": `v${version}` },
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("api-version")).toBe(version);
    },
  );

  test.each(["0.1.0", "1", "", "0.5.0, 0.2.0", "vv0.5.0", "v", "v0.1.0"])(
    "%j is unknown, and the problem names the known ones",
    async (version) => {
      const { apiKey: key } = await newIntegrator();
      const reply = await call("GET /card-integrators/me", {
        key,
        headers: { "Api-Version": version },
      });
      expect(reply).toMatchObject({
        status: 400,
        json: { code: "version_unknown", detail: expect.stringMatching(/0\.2\.0.*0\.5\.0/u) },
      });
    },
  );

  test("an operation newer than the request's version is not found", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const old = { key: integrator.apiKey, headers: { "Api-Version": "0.2.0" } };
    for (const [line, body] of [
      [`PATCH /cards/${card.id}/freeze`, undefined],
      ["PATCH /cards/credit/balance", { card_id: card.id, amount: 1 }],
    ] as const) {
      const reply = await call(line, { ...old, body });
      expect(reply).toMatchObject({ status: 404, json: { code: "not_in_version" } });
    }
    const topUp = await call("PATCH /cards/top-up", {
      ...old,
      body: { card_id: card.id, amount: 1 },
    });
    expect(topUp).toMatchObject({ status: 200, json: { balance: 1 } });
    expect(topUp.headers.get("deprecation")).toBeNull();
  });
});

describe("deprecation", () => {
  test("the deprecated top-up announces its deprecation and names its successor", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const reply = await call("PATCH /cards/top-up", {
      key: integrator.apiKey,
      body: { card_id: card.id, amount: 1 },
    });
    expect(reply.headers.get("deprecation")).toMatch(/^@\d{10}$/u);
    expect(reply.headers.get("sunset")).toBeNull();
    expect(reply.headers.get("link")).toContain('rel="deprecation"');
    expect(reply.headers.get("link")).toMatch(
      /<\/api\/cards\/credit\/balance>; rel="successor-version"/u,
    );
  });

  test("the report shows each key's calls by day, and the call to make instead works as it is", async () => {
    const integrator = await newIntegrator(10_000);
    const card = await newCard(integrator);
    await topUpAndFlush(integrator, card.id, 3);
    const [reported] = await readReport(integrator);
    expect(reported).toMatchObject({
      operation: "topUpCard",
      path: "/api/cards/top-up",
      replacement: {
        method: "PATCH",
        path: "/api/cards/credit/balance",
        body: { card_id: card.id, amount: 2_000 },
      },
      keys: [{ moved: false, api_key: { revoked: false } }],
    });
    const calls = reported?.keys[0]?.calls ?? [];
    expect(calls.map(({ calls: count }) => count)).toEqual([...Array(29).fill(0), 3]);
    const { method, path, body } = reported?.replacement ?? {};
    const replaced = await call(`${method} ${path?.replace("/api", "")}`, {
      key: integrator.apiKey,
      body,
    });
    expect(replaced).toMatchObject({ status: 200, json: { balance: 2_003 } });
  });

  test("a key without calls for 30 days has moved", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    await topUpAndFlush(integrator, card.id, 1);
    const ageTo = (days: number) =>
      testDatabase().db.execute(sql`update deprecated_calls
        set day = (clock_timestamp() at time zone 'UTC')::date - ${days}::int
        where integrator_id = ${integrator.id}`);
    await ageTo(29);
    expect((await readReport(integrator))[0]?.keys).toMatchObject([{ moved: false }]);
    await ageTo(30);
    expect((await readReport(integrator))[0]?.keys).toMatchObject([{ moved: true }]);
  });

  test("another integrator's calls are not in the report", async () => {
    const integrator = await newIntegrator(100);
    await topUpAndFlush(integrator, (await newCard(integrator)).id, 1);
    expect((await readReport(await newIntegrator()))[0]?.keys).toEqual([]);
  });

  test("counts that could not be written are written later", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const owner = postgres(testDatabase().ownerUrl, { max: 1 });
    await call("PATCH /cards/top-up", topUpOf(integrator, card.id));
    await owner`alter table deprecated_calls rename to deprecated_calls_away`;
    await flushQuietly();
    await owner`alter table deprecated_calls_away rename to deprecated_calls`;
    await owner.end();
    await topUpAndFlush(integrator, card.id, 1);
    const calls = (await readReport(integrator))[0]?.keys[0]?.calls ?? [];
    expect(calls.at(-1)).toMatchObject({ calls: 2 });
  });

  test("after its sunset, an operation answers 410 and changes nothing", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const sunset = new Date(Date.now() - 1_000);
    const deprecation = topUpCard.deprecation && { ...topUpCard.deprecation, sunset };
    const removed = serve({ ...topUpCard, deprecation }, { decide: FUNDS, ...cardFunds("credit") });
    const { key, body } = topUpOf(integrator, card.id);
    const response = await removed(
      new Request("http://localhost/api/cards/top-up", {
        method: "PATCH",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
      { params: Promise.resolve({}) },
    );
    expect(response.status).toBe(410);
    expect(response.headers.get("sunset")).toBe(sunset.toUTCString());
    expect(await response.json()).toMatchObject({
      code: "sunset",
      detail: expect.stringContaining("/api/cards/credit/balance"),
    });
    const read = await call(`GET /cards/${card.id}`, { key });
    expect(read.json).toMatchObject({ balance: 0 });
  });
});

function topUpOf({ apiKey }: TestIntegrator, cardId: string) {
  return { key: apiKey, body: { card_id: cardId, amount: 1 } };
}

async function topUpAndFlush(
  integrator: TestIntegrator,
  cardId: string,
  times: number,
): Promise<void> {
  for (let used = 0; used < times; used += 1) {
    await call("PATCH /cards/top-up", topUpOf(integrator, cardId));
  }
  await flushApiLog();
}

/** Without the log line that a failure leaves. */
async function flushQuietly(): Promise<void> {
  const { level } = log;
  log.level = "silent";
  await flushApiLog();
  log.level = level;
}

async function readReport({ apiKey: key }: TestIntegrator): Promise<DeprecatedOperation[]> {
  const { json } = await call("GET /deprecations", { key });
  return listDeprecations.answer.parse(json).data;
}

describe("the log of requests", () => {
  test("contains each request of an integrator, and a refused one is on its card's timeline", async () => {
    const integrator = await newIntegrator(5);
    const card = await newCard(integrator);
    const refused = await call("PATCH /cards/credit/balance", {
      key: integrator.apiKey,
      body: { card_id: card.id, amount: 10 },
    });
    expect(refused.status).toBe(422);
    await flushApiLog();
    const timeline = await call(`GET /cards/${card.id}/activity?limit=1`, {
      key: integrator.apiKey,
    });
    expect(timeline.json).toMatchObject({
      data: [
        {
          type: "refused_attempt",
          request_id: refused.headers.get("x-request-id"),
          refusal: { operation: "creditCard", status: 422, code: "insufficient_float" },
        },
      ],
    });
  });

  test("records when a key was last used", async () => {
    const integrator = await newIntegrator();
    await call("GET /cards", { key: integrator.apiKey });
    await flushApiLog();
    const [row] = await testDatabase().db.execute<{ used: boolean }>(
      sql`select last_used_at is not null as used from api_keys where integrator_id = ${integrator.id}`,
    );
    expect(row).toEqual({ used: true });
  });
});

describe("health", () => {
  test("the liveness check answers OK as text; the readiness check answers whether requests can be served", async () => {
    const live = await call("GET /health/live");
    expect(live).toMatchObject({ status: 200, text: "OK" });
    expect(live.headers.get("content-type")).toMatch(/^text\/plain/u);
    expect((await call("GET /health/ready")).status).toBe(200);
  });
});
