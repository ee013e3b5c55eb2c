import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";

let key: string;
let integrator: TestIntegrator;

beforeAll(async () => {
  key = await newProcessorKey();
  integrator = await newIntegrator(100_000);
});

function authorize(card_id: string, amount: number, members: object = {}): Promise<ApiReply> {
  const body = { reference: newId(), card_id, amount, currency: "USD", ...members };
  return call("POST /processor/authorizations", { key, body });
}

function ask(line: string, body?: object): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

const PARTIAL = { allow_partial: true };

describe("an authorization that may be approved in part", () => {
  test("is approved for what is available: in the answer, the transaction, its event, and the export", async () => {
    const { id: cardId } = await newCard(integrator, 600);
    const approved = await authorize(cardId, 1_000, PARTIAL);
    const { id } = approved.json as { id: string };
    expect(approved.json).toEqual({
      id,
      decision: "approved",
      decline_reason: null,
      amount: 600,
      requested_amount: 1_000,
      available: 0,
    });
    expect((await ask(`GET /transactions/${id}`)).json).toMatchObject({
      data: { status: "authorized", amount: 600, requested_amount: 1_000, hold: { amount: 600 } },
    });
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ balance: 600, held: 600 });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: { amount: 600, requested_amount: 1_000, hold_remaining: 600 },
    });
    const csv = await ask(`GET /exports/transactions?card_id=${cardId}&type=deduct`);
    // What was asked for, and a hold has posted nothing.
    expect(csv.text).toMatch(/,10\.00,{8}[0-9-]{10},,,0\.00,/u);
    const body = { reference: newId() };
    expect(
      await call(`POST /processor/authorizations/${id}/captures`, { key, body }),
    ).toMatchObject({
      json: { data: { status: "settled", amount: 600, requested_amount: 1_000 } },
    });
  });

  test("is approved in full when there is enough", async () => {
    const { id: cardId } = await newCard(integrator, 600);
    expect((await authorize(cardId, 600, PARTIAL)).json).toMatchObject({
      decision: "approved",
      amount: 600,
      requested_amount: null,
      available: 0,
    });
  });

  test("is declined when nothing is available, and when nobody allowed a part", async () => {
    const { id: cardId } = await newCard(integrator, 600);
    const declined = {
      decision: "declined",
      decline_reason: "insufficient_funds",
      amount: 0,
      requested_amount: null,
    };
    expect((await authorize(cardId, 601)).json).toMatchObject(declined);
    await authorize(cardId, 600);
    expect((await authorize(cardId, 1, PARTIAL)).json).toMatchObject(declined);
  });

  test("is declined for any other reason, whatever is available", async () => {
    const { id: cardId } = await newCard(integrator, 600);
    expect((await authorize(cardId, 601, { ...PARTIAL, currency: "EUR" })).json).toMatchObject({
      decline_reason: "currency_mismatch",
    });
    await ask(`PATCH /cards/${cardId}/freeze`, {});
    expect((await authorize(cardId, 601, PARTIAL)).json).toMatchObject({
      decline_reason: "card_frozen",
    });
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ held: 0 });
  });

  test("takes what the requests before it have left, twenty at once", async () => {
    const { id: cardId } = await newCard(integrator, 1_000);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => authorize(cardId, 300, PARTIAL)),
    );
    const approved = replies.map(({ json }) => (json as { amount: number }).amount);
    expect(approved.toSorted((a, b) => b - a).slice(0, 5)).toEqual([300, 300, 300, 100, 0]);
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ held: 1_000, available: 0 });
  });

  test("can be simulated, for an authorization only", async () => {
    const { id: cardId } = await newCard(integrator, 600);
    const line = `POST /cards/${cardId}/mock-transaction`;
    expect(await ask(line, { type: "deduct", amount: 601, ...PARTIAL })).toMatchObject({
      status: 422,
      json: { errors: { allow_partial: ["This field is allowed with the type authorize only."] } },
    });
    expect((await ask(line, { type: "authorize", amount: 601, ...PARTIAL })).json).toMatchObject({
      data: { status: "authorized", amount: 600, requested_amount: 601 },
    });
  });
});
