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

function send(path: string, body: object): Promise<ApiReply> {
  return call(`POST /processor/${path}`, { key, body: { reference: newId(), ...body } });
}

function ask(line: string, body?: object): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

function idOf({ json }: ApiReply): string {
  return (json as { id: string }).id;
}

async function authorize(funds: number, amount: number) {
  const { id: cardId } = await newCard(integrator, funds);
  const id = idOf(await send("authorizations", { card_id: cardId, amount, currency: "USD" }));
  return { cardId, id, path: `authorizations/${id}` };
}

describe("an increment by the card network", () => {
  test("is approved with the new total, and declined without a change", async () => {
    const { cardId, id, path } = await authorize(500, 300);
    expect((await send(`${path}/increments`, { amount: 150 })).json).toEqual({
      id,
      decision: "approved",
      decline_reason: null,
      amount: 450,
      requested_amount: null,
      available: 50,
    });
    const declined = await send(`${path}/increments`, { amount: 51 });
    expect(declined.json).toEqual({
      id: expect.not.stringMatching(id),
      decision: "declined",
      decline_reason: "insufficient_funds",
      amount: 450,
      requested_amount: null,
      available: 50,
    });
    expect((await ask(`GET /transactions/${idOf(declined)}`)).json).toMatchObject({
      data: { status: "declined", amount: 51, authorization_id: id, hold: null },
    });
    expect((await ask(`GET /transactions/${id}`)).json).toMatchObject({
      data: { status: "authorized", amount: 450, hold: { amount: 450, remaining: 450 } },
    });
    expect((await send(`${path}/captures`, { amount: 450 })).json).toMatchObject({
      data: { id, status: "settled", amount: 450, card_balance_after: 50 },
    });
    const anew = await send(`${path}/increments`, { amount: 1 });
    expect(anew.json).toMatchObject({ decision: "approved", amount: 1, available: 49 });
    expect((await ask(`GET /transactions/${idOf(anew)}`)).json).toMatchObject({
      data: { status: "authorized", increment_of: id, authorization_id: null },
    });
    const told = (await eventsOf(integrator, cardId)).map(({ event, data, previous }) => [
      event,
      data["amount"],
      previous,
    ]);
    expect(told.slice(-5)).toEqual([
      ["card.transaction", 300, null],
      ["card.transaction", 450, { amount: 300 }],
      ["card.transaction-declined", 51, null],
      ["card.transaction", 450, null],
      ["card.transaction", 1, null],
    ]);
  });

  test("sent twenty times at once with its reference happens once", async () => {
    const { cardId, path } = await authorize(500, 100);
    const reference = newId();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send(`${path}/increments`, { reference, amount: 50 })),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await ask(`GET /cards/${cardId}`)).json).toMatchObject({ held: 150 });
    expect(await send(`${path}/increments`, { reference, amount: 51 })).toMatchObject({
      status: 409,
      json: { code: "reference_reused" },
    });
  });

  test("declined once stays declined for its repeats, even when there are funds by then", async () => {
    const { cardId, path } = await authorize(100, 100);
    const reference = newId();
    const first = await send(`${path}/increments`, { reference, amount: 50 });
    expect(first.json).toMatchObject({ decision: "declined" });
    await ask("PATCH /cards/credit/balance", { card_id: cardId, amount: 500 });
    expect((await send(`${path}/increments`, { reference, amount: 50 })).text).toBe(first.text);
    expect((await send(`${path}/increments`, { amount: 50 })).json).toMatchObject({ amount: 150 });
  });

  test("is for an amount, of an authorization that the network made itself", async () => {
    const { cardId, path } = await authorize(100, 50);
    for (const amount of [0, -1, 1.5, "1"]) {
      expect(await send(`${path}/increments`, { amount })).toMatchObject({
        status: 422,
        json: { errors: { amount: [expect.any(String)] } },
      });
    }
    const mocked = await ask(`POST /cards/${cardId}/mock-transaction`, {
      type: "authorize",
      amount: 10,
    });
    const { id } = (mocked.json as { data: { id: string } }).data;
    expect(await send(`authorizations/${id}/increments`, { amount: 1 })).toMatchObject({
      status: 404,
      json: { code: "authorization_not_found" },
    });
  });
});

test("an increment can be simulated, on the card that the authorization belongs to", async () => {
  const { id: cardId } = await newCard(integrator, 500);
  const other = await newCard(integrator, 500);
  const mock = (body: object, card = cardId) => ask(`POST /cards/${card}/mock-transaction`, body);
  const held = await mock({ type: "authorize", amount: 300 });
  const { id } = (held.json as { data: { id: string } }).data;
  const step = { type: "increment", transaction_id: id };
  expect((await mock({ ...step, amount: 100 })).json).toMatchObject({
    data: { id, status: "authorized", amount: 400, hold: { amount: 400 } },
  });
  expect((await mock({ ...step, amount: 101 })).json).toMatchObject({
    data: { status: "declined", amount: 101, authorization_id: id },
  });
  expect(await mock({ ...step, amount: 1 }, other.id)).toMatchObject({
    status: 404,
    json: { code: "authorization_not_found" },
  });
  expect(await mock(step)).toMatchObject({
    status: 422,
    json: { errors: { amount: [expect.any(String)] } },
  });
  expect(await mock({ type: "increment", amount: 1 })).toMatchObject({
    status: 422,
    json: { errors: { transaction_id: [expect.any(String)] } },
  });
});
