import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { newCard, newIntegrator } from "#db/testing/fixtures.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";

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

  test("each use is counted for its key", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    for (let used = 0; used < 3; used += 1) {
      await call("PATCH /cards/top-up", {
        key: integrator.apiKey,
        body: { card_id: card.id, amount: 1 },
      });
    }
    await flushApiLog();
    const [row] = await testDatabase().db.execute<{ operation: string; calls: number }>(
      sql`select operation, calls from deprecated_uses where integrator_id = ${integrator.id}`,
    );
    expect(row).toMatchObject({ operation: "topUpCard", calls: 3 });
  });
});

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
