import { hash } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";
import { withTimeLimits } from "#db/time-limits.ts";

function credit(integrator: TestIntegrator, body: unknown, key: string) {
  return call("PATCH /cards/credit/balance", {
    key: integrator.apiKey,
    body,
    headers: { "Idempotency-Key": key },
  });
}

async function floatOf(integrator: TestIntegrator): Promise<unknown> {
  return (await call("GET /card-integrators/float", { key: integrator.apiKey })).json;
}

describe("a repeat under one key", () => {
  test("a hundred concurrent requests with one key move the money once and all get the same answer", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator);
    const key = newId();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => credit(integrator, { card_id: card.id, amount: 10 }, key)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1);
    expect(await floatOf(integrator)).toMatchObject({ balance: 990 });
  });

  test("later it gets the stored answer byte for byte, whatever has changed since", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator);
    const body = { card_id: card.id, amount: 10 };
    const key = newId();
    const first = await credit(integrator, body, key);
    await credit(integrator, body, newId());
    const again = await credit(integrator, body, `"${key}"`);
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(200);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await floatOf(integrator)).toMatchObject({ balance: 980 });
  });

  test("with another body, path or method it is refused and changes nothing", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator);
    const key = newId();
    await credit(integrator, { card_id: card.id, amount: 10 }, key);
    const other = await credit(integrator, { card_id: card.id, amount: 11 }, key);
    expect(other).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
    const frozen = await call(`PATCH /cards/${card.id}/freeze`, {
      key: integrator.apiKey,
      headers: { "Idempotency-Key": key },
    });
    expect(frozen).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
    expect(await floatOf(integrator)).toMatchObject({ balance: 990 });
  });

  test.each([
    ["the order of members", (id: string) => `{"amount":10,"card_id":"${id}"}`],
    ["whitespace", (id: string) => `{ "card_id": "${id}",\n  "amount": 10 }`],
    ["escapes", (id: string) => String.raw`{"card_\u0069d":"${id}","amount":10}`],
  ])("it gets the first answer whatever its body's spelling: %s", async (_name, spell) => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator);
    const key = newId();
    const first = await credit(integrator, { card_id: card.id, amount: 10 }, key);
    const again = await credit(integrator, spell(card.id), key);
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await floatOf(integrator)).toMatchObject({ balance: 990 });
  });

  test("an answer stored with a fingerprint of the body's bytes is still found, and only by those bytes", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator);
    const key = newId();
    const sent = `{ "card_id": "${card.id}", "amount": 10 }`;
    const first = await credit(integrator, sent, key);
    const bytes = hash("sha256", `PATCH\n/api/cards/credit/balance\n${sent}`);
    await testDatabase().db.execute(
      sql`update idempotent_requests set fingerprint = ${bytes} where key = ${toIdempotencyName(integrator.id, key)}`,
    );
    expect(await credit(integrator, sent, key)).toMatchObject({ status: 200, text: first.text });
    const spelled = await credit(integrator, { card_id: card.id, amount: 10 }, key);
    expect(spelled).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
    expect(await floatOf(integrator)).toMatchObject({ balance: 990 });
  });

  test("a key is scoped to its integrator: the same key of another integrator is independent", async () => {
    const key = newId();
    for (const integrator of [await newIntegrator(100), await newIntegrator(100)]) {
      const card = await newCard(integrator);
      const reply = await credit(integrator, { card_id: card.id, amount: 10 }, key);
      expect(reply.status).toBe(200);
      expect(reply.headers.has("idempotent-replayed")).toBe(false);
    }
  });

  test("a refusal for insufficient funds is repeated although the float has been topped up since", async () => {
    const integrator = await newIntegrator(5);
    const card = await newCard(integrator);
    const key = newId();
    const body = { card_id: card.id, amount: 10 };
    const refused = await credit(integrator, body, key);
    expect(refused).toMatchObject({ status: 422, json: { code: "insufficient_float" } });
    await call("PATCH /card-integrators/top-up-float", {
      key: integrator.apiKey,
      body: { amount: 100 },
    });
    const again = await credit(integrator, body, key);
    expect(again.text).toBe(refused.text);
    expect(again.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
    expect((await credit(integrator, body, newId())).status).toBe(200);
  });

  test("a 404 is not stored: the key is still free for the correct request", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const key = newId();
    expect((await credit(integrator, { card_id: newId(), amount: 10 }, key)).status).toBe(404);
    expect((await credit(integrator, { card_id: card.id, amount: 10 }, key)).status).toBe(200);
  });

  test("a refusal by a card's state is stored too, and its effects are rolled back", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await call(`POST /cards/${card.id}/close`, { key: integrator.apiKey });
    const headers = { "Idempotency-Key": newId() };
    const first = await call(`PATCH /cards/${card.id}/freeze`, { key: integrator.apiKey, headers });
    const again = await call(`PATCH /cards/${card.id}/freeze`, { key: integrator.apiKey, headers });
    expect(first).toMatchObject({ status: 409, json: { code: "card_closed" } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("keys", () => {
  test.each(["", '""', "a b", "ä", "x".repeat(256)])("%j is malformed", async (key) => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const reply = await credit(integrator, { card_id: card.id, amount: 10 }, key);
    expect(reply).toMatchObject({ status: 400, json: { code: "idempotency_key_malformed" } });
    expect(await floatOf(integrator)).toMatchObject({ balance: 100 });
  });

  test("an account can require one on every change, from the next request on", async () => {
    const integrator = await newIntegrator(100);
    const settings = await call("PATCH /card-integrators/settings", {
      key: integrator.apiKey,
      body: { idempotency_required: true },
    });
    expect(settings.status).toBe(200);
    const body = { amount: 1 };
    const without = await call("PATCH /card-integrators/top-up-float", {
      key: integrator.apiKey,
      body,
    });
    expect(without).toMatchObject({ status: 400, json: { code: "idempotency_key_required" } });
    const withKey = await call("PATCH /card-integrators/top-up-float", {
      key: integrator.apiKey,
      body,
      headers: { "Idempotency-Key": newId() },
    });
    expect(withKey.status).toBe(200);
  });

  test("a key that moved money never moves it again, even when its answer is no longer stored", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const key = newId();
    const body = { card_id: card.id, amount: 10 };
    await credit(integrator, body, key);
    await testDatabase().db.execute(
      sql`delete from idempotent_requests where key = ${toIdempotencyName(integrator.id, key)}`,
    );
    const late = await credit(integrator, body, key);
    expect(late).toMatchObject({ status: 409, json: { code: "idempotency_key_expired" } });
    expect(await floatOf(integrator)).toMatchObject({ balance: 90 });
  });

  test("a request waits for a key held by another process, and no longer than its limit", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    const key = newId();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holder = testDatabase().db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`${integrator.id} ${toIdempotencyName(integrator.id, key)}`}, 0))`,
      );
      hold();
      await released;
    });
    await held;
    const reply = await withTimeLimits({ repeat: 200 }, () =>
      credit(integrator, { card_id: card.id, amount: 10 }, key),
    );
    expect(reply).toMatchObject({ status: 409, json: { code: "idempotency_in_progress" } });
    expect(reply.headers.get("retry-after")).toMatch(/^[0-9]+$/u);
    release();
    await holder;
    expect((await credit(integrator, { card_id: card.id, amount: 10 }, key)).status).toBe(200);
  });
});
