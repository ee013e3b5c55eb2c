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

const read = async (id: string) =>
  (await call(`GET /transactions/${id}`, { key: integrator.apiKey })).json;

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

  test("a reversal in part lets it hold that much less", async () => {
    await newSubject();
    const reference = newId();
    await reverse(reference, { amount: 30 });
    await reverse(reference, { amount: 20 });
    expect(await authorize(reference)).toMatchObject({
      json: { decision: "approved", amount: 100, available: 950 },
    });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 50 });
    expect(await reverse(reference)).toMatchObject({ json: { data: { status: "reversed" } } });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 0 });
  });

  test("reversals in part that leave nothing of it decline it", async () => {
    await newSubject();
    const reference = newId();
    await reverse(reference, { amount: 60 });
    await reverse(reference, { amount: 40 });
    expect(await authorize(reference)).toMatchObject({
      json: { decision: "declined", decline_reason: "reversed_before" },
    });
  });

  test("a purchase is posted to the card that it names, and not without one", async () => {
    await newSubject();
    expect(await post(newId(), { card_id: cardId })).toMatchObject({
      json: { data: { posted_as: "before_authorization" } },
    });
    expect(await readMoney()).toEqual({ balance: 900, held: 0 });
    expect(await post(newId())).toMatchObject({ json: { code: "fact_unmatched" } });
    expect(await send("captures", { amount: 1 })).toMatchObject({
      status: 422,
      json: { errors: { card_id: [expect.stringContaining("authorization_reference")] } },
    });
  });

  test("a purchase of all of it leaves nothing to hold, and names it once it has arrived", async () => {
    await newSubject();
    const reference = newId();
    const { json: posted } = await post(reference, { card_id: cardId });
    const { id } = (posted as { data: { id: string } }).data;
    const { json: authorized } = await authorize(reference);
    expect(authorized).toMatchObject({ decision: "approved", amount: 100, available: 900 });
    expect(await readMoney()).toEqual({ balance: 900, held: 0 });
    const { id: authorizationId } = authorized as { id: string };
    expect(await read(authorizationId)).toMatchObject({
      data: {
        status: "captured",
        settled_at: null,
        hold: { amount: 100, captured: 100, released: 0, remaining: 0 },
      },
    });
    expect(await read(id)).toMatchObject({
      data: { authorization_id: authorizationId, posted_as: "before_authorization" },
    });
    expect(await post(reference, { amount: 5 })).toMatchObject({
      json: { data: { authorization_id: authorizationId, posted_as: "over_authorization" } },
    });
    expect(await readMoney()).toEqual({ balance: 895, held: 0 });
  });

  test("a purchase of a part of it leaves the rest to hold; a final one nothing", async () => {
    for (const [final, held] of [
      [false, 70],
      [true, 0],
    ] as const) {
      await newSubject();
      const reference = newId();
      await post(reference, { card_id: cardId, amount: 30, final });
      expect(await authorize(reference)).toMatchObject({ json: { amount: 100 } });
      expect(await readMoney()).toEqual({ balance: 970, held });
    }
  });

  test("the rest of one that was captured in part is released by its reversal, and it stays captured", async () => {
    await newSubject();
    const reference = newId();
    await post(reference, { card_id: cardId, amount: 30 });
    await authorize(reference);
    expect(await reverse(reference)).toMatchObject({ json: { data: { status: "captured" } } });
    expect(await readMoney()).toEqual({ balance: 970, held: 0 });
  });

  test("only what it adds needs funds, and a part of that can be approved", async () => {
    await newSubject();
    const reference = newId();
    await post(reference, { card_id: cardId, amount: 700 });
    expect(await authorize(reference, 1_001)).toMatchObject({
      json: { decision: "declined", decline_reason: "insufficient_funds" },
    });
    const partly = newId();
    await post(partly, { card_id: cardId, amount: 100 });
    expect(
      await send("authorizations", {
        reference: partly,
        card_id: cardId,
        amount: 500,
        currency: "USD",
        allow_partial: true,
      }),
    ).toMatchObject({ json: { amount: 300, requested_amount: 500, available: 0 } });
    expect(await readMoney()).toEqual({ balance: 200, held: 200 });
  });

  test("a purchase on another card is not its own", async () => {
    await newSubject();
    const reference = newId();
    await post(reference, { card_id: (await newCard(integrator, 1_000)).id });
    await authorize(reference);
    expect(await readMoney()).toEqual({ balance: 1_000, held: 100 });
  });

  test("a purchase on a frozen card is paid by the float, and its authorization is declined", async () => {
    await newSubject();
    const reference = newId();
    await call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey, body: {} });
    const { json } = await post(reference, { card_id: cardId });
    const { id } = (json as { data: { id: string } }).data;
    const { json: declined } = await authorize(reference);
    expect(declined).toMatchObject({ decision: "declined", decline_reason: "card_frozen" });
    expect((await call(`GET /transactions/${id}`, { key: integrator.apiKey })).json).toMatchObject({
      data: { authorization_id: (declined as { id: string }).id, covered: { float: 100 } },
    });
    expect(await readMoney()).toEqual({ balance: 1_000, held: 0 });
  });
});

describe("a verification", () => {
  test("that is captured is a purchase above it; its reversal changes nothing", async () => {
    await newSubject();
    const reference = newId();
    const { json } = await authorize(reference, 0);
    const { id } = json as { id: string };
    expect(await reverse(reference)).toMatchObject({ status: 200, json: { data: { id } } });
    expect(await post(reference, { amount: 40 })).toMatchObject({
      json: { data: { authorization_id: id, posted_as: "over_authorization" } },
    });
    expect(await readMoney()).toEqual({ balance: 960, held: 0 });
  });
});

test("a capture and its authorization that arrive together: the money is held or captured once", async () => {
  await newSubject();
  for (let round = 1; round <= 12; round += 1) {
    const reference = newId();
    const authorizing = () => authorize(reference, 10);
    const capturing = () => post(reference, { card_id: cardId, amount: 10 });
    const replies = await Promise.all(
      round % 2 ? [authorizing(), capturing()] : [capturing(), authorizing()],
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readMoney()).toEqual({ balance: 1_000 - 10 * round, held: 0 });
  }
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
