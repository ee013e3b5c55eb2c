import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

/** A gateway that did not get the answer to its authorization names it by the reference that it had given it. */

let key: string;
let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  key = await newProcessorKey();
  integrator = await newIntegrator(100_000);
});

async function newSubject() {
  cardId = (await newCard(integrator, 1_000)).id;
}

const send = (path: string, body: object): Promise<ApiReply> =>
  call(`POST /processor/${path}`, { key, body: { reference: newId(), ...body } });
const authorize = (reference: string, amount = 100) =>
  send("authorizations", { reference, card_id: cardId, amount, currency: "USD" });
const reverse = (reference: string, body: object = {}) =>
  send("reversals", { authorization_reference: reference, ...body });
const post = (reference: string, body: object = {}) =>
  send("captures", { authorization_reference: reference, amount: 100, ...body });

async function readMoney() {
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  const { balance, held } = json as { balance: number; held: number };
  return { balance, held };
}

describe("by the reference of its authorization", () => {
  test("a capture settles it, in part and then finally", async () => {
    await newSubject();
    const reference = newId();
    const { json: authorized } = await authorize(reference);
    expect(await post(reference, { amount: 30 })).toMatchObject({
      status: 200,
      json: { data: { id: (authorized as { id: string }).id, posted_as: "authorized" } },
    });
    expect(await post(reference, { amount: 10, final: true, card_id: cardId })).toMatchObject({
      status: 200,
    });
    expect(await readMoney()).toEqual({ balance: 960, held: 0 });
  });

  test("a reversal releases it, in part and then all; a repeat gets the first answer", async () => {
    await newSubject();
    const reference = newId();
    await authorize(reference);
    const part = { reference: newId(), amount: 60 };
    const first = await reverse(reference, part);
    expect(first).toMatchObject({ status: 200, json: { data: { status: "authorized" } } });
    expect(await reverse(reference, part)).toMatchObject({ text: first.text });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 40 });
    expect(await reverse(reference)).toMatchObject({ json: { data: { status: "reversed" } } });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 0 });
  });

  test("a declined authorization is answered as it stands", async () => {
    await newSubject();
    const reference = newId();
    await authorize(reference, 5_000);
    expect(await reverse(reference)).toMatchObject({ json: { data: { status: "declined" } } });
  });
});

describe("before its authorization arrives", () => {
  test("a reversal is remembered, and the authorization is declined", async () => {
    await newSubject();
    const reference = newId();
    const early = { reference: newId() };
    expect(await reverse(reference, early)).toMatchObject({ status: 200, json: { data: null } });
    expect(await authorize(reference)).toMatchObject({
      json: { decision: "declined", decline_reason: "reversed_before" },
    });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 0 });
    expect(await reverse(reference, early)).toMatchObject({ json: { data: null } });
    const path = `/cards/${cardId}/transactions?status=declined`;
    const { json } = await call(`GET ${path}`, { key: integrator.apiKey });
    expect(json).toMatchObject({ data: [{ decline_reason: "reversed_before", amount: 100 }] });
  });

  test("a purchase is posted to the card that it names, and not without one", async () => {
    await newSubject();
    expect(await post(newId(), { card_id: cardId })).toMatchObject({
      json: { data: { posted_as: "without_authorization" } },
    });
    expect(await readMoney()).toEqual({ balance: 900, held: 0 });
    expect(await post(newId())).toMatchObject({ json: { code: "fact_unmatched" } });
    expect(await send("captures", { amount: 1 })).toMatchObject({
      status: 422,
      json: { errors: { card_id: [expect.stringContaining("authorization_reference")] } },
    });
  });
});

test("a reversal and its authorization that arrive together: nothing stays on hold, whichever comes first", async () => {
  await newSubject();
  for (let round = 0; round < 12; round += 1) {
    const reference = newId();
    const sent =
      round % 2
        ? [authorize(reference), reverse(reference)]
        : [reverse(reference), authorize(reference)];
    const replies = await Promise.all(sent);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readMoney()).toEqual({ balance: 1_000, held: 0 });
  }
});
