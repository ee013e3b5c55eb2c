import { beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newOrigin, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { testDatabase } from "#test/database/database.ts";
import { aTransaction, UUID } from "#test/scene/shapes.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import { alone } from "#lib/api/commit/alone.ts";
import { PROCESSOR_SCOPE, processorReferences } from "#lib/api/commit/processor-references.ts";
import { authorize as authorizeCards } from "#lib/purchases/authorizations.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { newId } from "#lib/base/ids.ts";
import { processorOperations } from "#db/schema/processor.ts";
import { eq } from "drizzle-orm";

let key: string;
let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  key = await newProcessorKey();
  integrator = await newIntegrator(100_000);
  cardId = (await newCard(integrator, 10_000)).id;
});

const SHOP = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

function send(path: string, body: Record<string, unknown>): Promise<ApiReply> {
  return call(`POST /processor/${path}`, { key, body: { reference: newId(), ...body } });
}

function authorize(body: Record<string, unknown> = {}): Promise<ApiReply> {
  return send("authorizations", {
    card_id: cardId,
    amount: 100,
    currency: "USD",
    narrative: "BLUE BOTTLE*OAK",
    merchant: SHOP,
    ...body,
  });
}

const idOf = ({ json }: ApiReply): string => (json as { id: string }).id;

async function balances(id = cardId): Promise<{ balance: number; held: number }> {
  const { json } = await call(`GET /cards/${id}`, { key: integrator.apiKey });
  const { balance, held } = json as { balance: number; held: number };
  return { balance, held };
}

describe("the processor's operations", () => {
  test("approve, capture, refund; the integrator sees them with the processor as actor", async () => {
    const approved = await authorize();
    expect(approved.status).toBe(200);
    expect(approved.json).toEqual({
      id: UUID,
      decision: "approved",
      decline_reason: null,
      amount: 100,
      requested_amount: null,
      available: 9_900,
    });
    const id = idOf(approved);
    const captured = await send(`authorizations/${id}/captures`, { amount: 60, final: true });
    const actor = { type: "processor", id: UUID, name: "Test network" };
    expect(captured.json).toEqual({
      data: aTransaction(cardId, {
        id,
        type: "deduct",
        amount: 60,
        narrative: "BLUE BOTTLE*OAK",
        merchant: SHOP,
        card_balance_before: 10_000,
        card_balance_after: 9_940,
        hold: {
          amount: 100,
          captured: 60,
          released: 40,
          remaining: 0,
          expires_at: expect.any(String),
        },
        actor,
      }),
    });
    const refunded = await send("refunds", { card_id: cardId, amount: 60, transaction_id: id });
    expect(refunded).toMatchObject({
      status: 200,
      json: { data: { type: "deduct-reversal", amount: 60, refund_of: id, actor } },
    });
    const read = await call(`GET /cards/transaction/${id}`, { key: integrator.apiKey });
    expect(read.json).toMatchObject({ data: { id, refunded: 60, actor } });
  });

  test("reverse a hold, in part and in full", async () => {
    const before = await balances();
    const id = idOf(await authorize({ amount: 500 }));
    expect(await send(`authorizations/${id}/reversals`, { amount: 200 })).toMatchObject({
      json: { data: { id, status: "authorized", hold: { remaining: 300 } } },
    });
    expect(await send(`authorizations/${id}/reversals`, {})).toMatchObject({
      json: { data: { id, status: "reversed" } },
    });
    expect(await balances()).toEqual(before);
  });

  test("a decline is an answer; for an unknown card it is stored under its reference alone", async () => {
    expect((await authorize({ amount: 1_000_000 })).json).toMatchObject({
      id: UUID,
      decision: "declined",
      decline_reason: "insufficient_funds",
      available: 10_000,
    });
    expect((await authorize({ currency: "EUR" })).json).toMatchObject({
      decision: "declined",
      decline_reason: "currency_mismatch",
    });
    const reference = newId();
    const unknown = await authorize({ card_id: newId(), reference });
    expect(unknown.status).toBe(200);
    expect(unknown.json).toEqual({
      id: null,
      decision: "declined",
      decline_reason: "card_unknown",
      amount: 0,
      requested_amount: null,
      available: null,
    });
    const [kept] = await testDatabase()
      .db.select()
      .from(processorOperations)
      .where(eq(processorOperations.reference, reference));
    expect(kept).toMatchObject({ integratorId: null, transactionId: null, body: unknown.text });
  });

  test("funding tops up the float of an existing integrator", async () => {
    const funded = await send("funding", { integrator_id: integrator.id, amount: 5_000 });
    expect(funded).toMatchObject({ status: 200, json: { data: { balance: 95_000 } } });
    const float = await call("GET /card-integrators/float", { key: integrator.apiKey });
    expect(float.json).toMatchObject({ balance: 95_000 });
    expect(await send("funding", { integrator_id: newId(), amount: 1 })).toMatchObject({
      status: 404,
      json: { code: "integrator_not_found" },
    });
  });

  test("an expiry may be requested, and is bounded", async () => {
    const approved = idOf(await authorize({ expires_in: 3_600 }));
    const { json } = await call(`GET /cards/transaction/${approved}`, { key: integrator.apiKey });
    const { data } = json as { data: { created_at: string; hold: { expires_at: string } } };
    const lifeMs = Date.parse(data.hold.expires_at) - Date.parse(data.created_at);
    expect(Math.abs(lifeMs - 3_600_000)).toBeLessThan(1_000);
    for (const bad of [0, 2_592_001, 1.5, "60"]) {
      expect(await authorize({ expires_in: bad })).toMatchObject({
        status: 422,
        json: { errors: { expires_in: [expect.any(String)] } },
      });
    }
    await send(`authorizations/${approved}/reversals`, {});
  });

  test("the processor cannot act on an integrator's simulated authorization, nor an integrator's key on the processor's", async () => {
    const mocked = await call(`POST /cards/${cardId}/mock-transaction`, {
      key: integrator.apiKey,
      body: { type: "authorize", amount: 10 },
    });
    const { id } = (mocked.json as { data: { id: string } }).data;
    expect(await send(`authorizations/${id}/captures`, {})).toMatchObject({ status: 422 });
    expect(await send(`authorizations/${id}/reversals`, {})).toMatchObject({
      status: 404,
      json: { code: "authorization_not_found" },
    });
    expect(
      await call("POST /processor/refunds", { key: integrator.apiKey, body: {} }),
    ).toMatchObject({ status: 403, json: { code: "scope_missing" } });
    expect(await call("GET /cards", { key })).toMatchObject({
      status: 403,
      json: { code: "scope_missing" },
    });
  });
});

describe("a reference", () => {
  test("sent twice with the same body runs once and gets the same answer, whatever has changed since", async () => {
    const before = await balances();
    const reference = newId();
    const first = await authorize({ reference });
    await call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey });
    const again = await authorize({ reference });
    await call(`PATCH /cards/${cardId}/unfreeze`, { key: integrator.apiKey });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await balances()).toEqual({ ...before, held: before.held + 100 });
  });

  test("sent twenty times at once has one effect, one event, and one answer", async () => {
    const card = await newCard(integrator, 1_000);
    const reference = newId();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => authorize({ reference, card_id: card.id })),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await balances(card.id)).toEqual({ balance: 1_000, held: 100 });
    const reported = await eventsOf(integrator, card.id);
    expect(reported.filter(({ event }) => event === "card.transaction")).toHaveLength(1);
  });

  test("sent to two processes at once runs once: the database decides which one wins", async () => {
    const card = await newCard(integrator, 1_000);
    // A second copy of the module shares no memory with the first, like another process.
    const first = await import("#lib/api/commit/perform.ts");
    vi.resetModules();
    const second = await import("#lib/api/commit/perform.ts");
    expect(second.perform).not.toBe(first.perform);
    const [kept] = await testDatabase().db.select().from(processorOperations).limit(1);
    const named = {
      scope: PROCESSOR_SCOPE,
      name: newId(),
      fingerprint: "f",
      toEarlierFingerprints: () => [],
      authorizationReference: null,
      original: null,
      operation: "createAuthorization",
      apiKeyId: kept?.apiKeyId ?? "",
    };
    let worked = 0;
    const procedure = alone(processorReferences, async (tx) => {
      worked += 1;
      const { available } = await performOne(tx, authorizeCards, {
        actor: integrator.actor,
        request: newOrigin(),
        cardId: card.id,
        amount: 100,
        currency: null,
        narrative: null,
        merchant: null,
        expiresInS: 60,
      });
      return toJsonAnswer(200, { available, worked });
    });
    const answers = await Promise.all(
      [first, second, first, second].map(({ perform }) =>
        perform(procedure, {
          key: named,
          integratorId: null,
          group: null,
          request: newOrigin(),
          instance: "/",
          input: named,
          toAnswered: (answer) => ({ answer }),
        }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ available: 900, worked: 1 })]),
    );
    expect(await balances(card.id)).toEqual({ balance: 1_000, held: 100 });
  });

  test("with another body, path, or operation is a 409 and does nothing, even concurrently", async () => {
    const card = await newCard(integrator, 1_000);
    const reference = newId();
    const replies = await Promise.all(
      [10, 20, 30].map((amount) => authorize({ reference, card_id: card.id, amount })),
    );
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409]);
    expect(await send("refunds", { reference, card_id: card.id, amount: 1 })).toMatchObject({
      status: 409,
      json: { code: "reference_reused" },
    });
    expect([10, 20, 30]).toContain((await balances(card.id)).held);
  });

  test("a refusal is stored under its reference too; a 404 leaves it unused", async () => {
    const id = idOf(await authorize({ amount: 100 }));
    const [reference, unused] = [newId(), newId()];
    await send(`authorizations/${id}/reversals`, {});
    const refused = await send(`authorizations/${id}/captures`, { reference });
    expect(refused).toMatchObject({ status: 409, json: { code: "authorization_reversed" } });
    const again = await send(`authorizations/${id}/captures`, { reference });
    expect(again.text).toBe(refused.text);
    expect(await send(`authorizations/${newId()}/reversals`, { reference: unused })).toMatchObject({
      status: 404,
    });
    const reversed = await send(`authorizations/${id}/reversals`, { reference: unused });
    expect(reversed.status).toBe(200);
  });

  test.each(["", "with space", "x".repeat(256), "é", 1, null])(
    "%j is not a reference",
    async (reference) => {
      expect(await authorize({ reference })).toMatchObject({
        status: 422,
        json: { errors: { reference: [expect.any(String)] } },
      });
    },
  );
});
