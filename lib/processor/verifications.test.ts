import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { aTransaction, UUID } from "#test/scene/shapes.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";

/** A merchant that saves a card first asks whether it would be accepted, with the amount 0. */

const SHOP = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

let key: string;
let integrator: TestIntegrator;

beforeAll(async () => {
  key = await newProcessorKey();
  integrator = await newIntegrator(100_000);
});

function verify(card_id: string, reference = newId()): Promise<ApiReply> {
  const body = { reference, card_id, amount: 0, currency: "USD", merchant: SHOP };
  return call("POST /processor/authorizations", { key, body });
}

function ask(line: string, body?: object): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

function idOf({ json }: ApiReply): string {
  return (json as { id: string }).id;
}

describe("a verification of a card", () => {
  test("is approved, holds and moves nothing, and is a transaction with its event", async () => {
    const { id: cardId } = await newCard(integrator, 500);
    const approved = await verify(cardId);
    expect(approved.json).toMatchObject({ decision: "approved", available: 500 });
    const data = aTransaction(cardId, {
      id: idOf(approved),
      type: "verification",
      status: "authorized",
      amount: 0,
      merchant: SHOP,
      card_balance_before: 500,
      card_balance_after: 500,
      actor: { type: "processor", id: UUID, name: "Test network" },
      settled_at: null,
    });
    expect((await ask(`GET /transactions/${idOf(approved)}`)).json).toEqual({ data });
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ balance: 500, held: 0 });
    const listed = await ask("GET /transactions?type=verification&status=authorized&limit=1");
    expect(listed.json).toMatchObject({ data: [data] });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: {
        type: "verification",
        status: "authorized",
        amount: 0,
        reference: idOf(approved),
        hold_remaining: 0,
      },
    });
    const csv = await ask(`GET /exports/transactions?card_id=${cardId}&type=verification`);
    expect(csv.text.split("\r\n")[1]).toMatch(/,verification,authorized,0\.00,USD,5\.00,5\.00,/u);
  });

  test("works on an empty card, and repeated gets the first answer", async () => {
    const { id: cardId } = await newCard(integrator);
    const reference = newId();
    const replies = await Promise.all([verify(cardId, reference), verify(cardId, reference)]);
    expect(replies[0].json).toMatchObject({ decision: "approved", available: 0 });
    expect(replies[1].text).toBe(replies[0].text);
    const listed = await ask(`GET /transactions?card_id=${cardId}`);
    expect((listed.json as { data: unknown[] }).data).toHaveLength(1);
  });

  test("is declined by the rules of an authorization, and says so", async () => {
    const { id: cardId } = await newCard(integrator, 500);
    await ask(`PATCH /cards/${cardId}/freeze`, {});
    const declined = await verify(cardId);
    expect(declined.json).toMatchObject({ decision: "declined", decline_reason: "card_frozen" });
    expect((await ask(`GET /transactions/${idOf(declined)}`)).json).toMatchObject({
      data: { type: "verification", status: "declined", amount: 0, hold: null },
    });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction-declined",
      data: { type: "verification", decline_reason: "card_frozen" },
    });
    expect((await verify(newId())).json).toMatchObject({ decline_reason: "card_unknown" });
  });

  test("does not use up a single-use card", async () => {
    const { id: cardId } = await newCard(integrator, 500, { singleUse: true });
    await verify(cardId);
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ status: "active", held: 0 });
    const line = `POST /cards/${cardId}/mock-transaction`;
    expect((await ask(line, { type: "deduct", amount: 100 })).json).toMatchObject({
      data: { status: "settled" },
    });
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ status: "closed" });
  });

  test("that is captured is a purchase of its own; its reversal changes nothing", async () => {
    const { id: cardId } = await newCard(integrator, 500);
    const id = idOf(await verify(cardId));
    const send = (act: string, body: object) =>
      call(`POST /processor/authorizations/${id}/${act}`, {
        key,
        body: { reference: newId(), ...body },
      });
    expect(await send("reversals", {})).toMatchObject({
      status: 200,
      json: { data: { id, status: "authorized" } },
    });
    expect(await send("captures", {})).toMatchObject({
      status: 409,
      json: { code: "authorization_captured" },
    });
    expect(await send("captures", { amount: 40 })).toMatchObject({
      json: { data: { posted_as: "over_authorization", authorization_id: id } },
    });
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ balance: 460, held: 0 });
  });

  test("is simulated without an amount, and its decline can be forced", async () => {
    const { id: cardId } = await newCard(integrator);
    const line = `POST /cards/${cardId}/mock-transaction`;
    expect((await ask(line, { type: "verification" })).json).toMatchObject({
      data: { type: "verification", status: "authorized", amount: 0 },
    });
    const forced = { type: "verification", decline_with: "insufficient_funds" };
    expect((await ask(line, forced)).json).toMatchObject({
      data: { type: "verification", status: "declined", decline_reason: "insufficient_funds" },
    });
    for (const amount of [0, 1]) {
      expect(await ask(line, { type: "verification", amount })).toMatchObject({
        status: 422,
        json: { errors: { amount: expect.any(Array) } },
      });
    }
    expect(await ask(line, { type: "authorize", amount: 0 })).toMatchObject({ status: 422 });
  });

  test("is the only request with the amount 0", async () => {
    const { id: cardId } = await newCard(integrator, 500);
    const body = { reference: newId(), card_id: cardId, amount: 0 };
    expect(await call("POST /processor/refunds", { key, body })).toMatchObject({ status: 422 });
    const negative = { ...body, amount: -1, currency: "USD" };
    expect(await call("POST /processor/authorizations", { key, body: negative })).toMatchObject({
      status: 422,
      json: { errors: { amount: ["This field must be at least 0."] } },
    });
  });
});
