import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

/** What a refund is for, and what is taken back, is what the card network says, and never a guess. */

let key: string;
let integrator: TestIntegrator;
let cardId: string;

beforeAll(async () => {
  key = await newProcessorKey();
});

/** A card with 100, and 50 left on the float. */
beforeEach(async () => {
  integrator = await newIntegrator(150);
  cardId = (await newCard(integrator, 100)).id;
});

interface Row {
  id: string;
  refund_of: string | null;
  takes_back: string | null;
}

const send = (path: string, body: object): Promise<ApiReply> =>
  call(`POST /processor/${path}`, { key, body: { reference: newId(), ...body } });
const at = (name: string) => ({ name, mcc: null, city: null, country: null });
const post = (amount: number, body: object = {}) =>
  send("captures", { card_id: cardId, amount, ...body });
const refund = (amount: number, body: object = {}) =>
  send("refunds", { card_id: cardId, amount, ...body });
const takeBack = (original_reference: string, original_kind: string, body: object = {}) =>
  send("reversals", { original_reference, original_kind, ...body });
const toRow = ({ json }: ApiReply) => (json as { data: Row }).data;

async function read(path: string): Promise<Record<string, number>> {
  const { json } = await call(`GET ${path}`, { key: integrator.apiKey });
  return json as Record<string, number>;
}

async function readMoney() {
  const [card, float] = [await read(`/cards/${cardId}`), await read("/card-integrators/float")];
  return {
    card: card["balance"],
    outstanding: card["cover_outstanding"],
    float: float["balance"],
    deficit: float["deficit"],
  };
}

describe("a refund", () => {
  test("without a link goes to the card, although another purchase of its amount was covered", async () => {
    await post(100, { merchant: at("Bookshop") });
    await post(50, { merchant: at("Hotel") });
    expect(await readMoney()).toEqual({ card: 0, outstanding: 50, float: 0, deficit: 0 });
    expect(await refund(50, { merchant: at("Bookshop") })).toMatchObject({
      status: 200,
      json: { data: { refund_of: null, refund_exceeds: true, authorization_id: null } },
    });
    expect(await readMoney()).toEqual({ card: 50, outstanding: 50, float: 0, deficit: 0 });
  });

  test.each(["capture", "posting"])(
    "by the reference of a %s is for the purchase that came under it, whichever way it came",
    async (original_kind) => {
      const original_reference = newId();
      const bought = toRow(await post(40, { reference: original_reference }));
      await post(30);
      expect(await refund(40, { original_reference, original_kind })).toMatchObject({
        json: { data: { refund_of: bought.id, refund_exceeds: false } },
      });
    },
  );

  test("by the reference of its authorization gives back the cover of any of its captures", async () => {
    const authorization_reference = newId();
    const authorization = { card_id: cardId, amount: 60, currency: "USD" };
    const { json } = await send("authorizations", {
      ...authorization,
      reference: authorization_reference,
    });
    const { id } = json as { id: string };
    await post(70, { authorization_reference });
    await post(60, { authorization_reference });
    expect(await readMoney()).toMatchObject({ card: 0, outstanding: 30, float: 20 });
    expect(await refund(40, { authorization_reference })).toMatchObject({
      json: { data: { refund_of: id, authorization_id: id, refund_exceeds: false } },
    });
    expect(await readMoney()).toMatchObject({ card: 10, outstanding: 0, float: 50 });
  });

  test("by the reference of an authorization that has not arrived stands by itself", async () => {
    expect(await refund(5, { authorization_reference: newId() })).toMatchObject({
      status: 200,
      json: { data: { refund_of: null, refund_exceeds: true } },
    });
  });

  test("of an unknown original, of another kind, or of another card is kept for the operator", async () => {
    const reference = newId();
    await post(40, { reference });
    const unmatched = { status: 422, json: { code: "fact_unmatched" } };
    const of = (original_reference: string, original_kind: string) =>
      refund(4, { original_reference, original_kind });
    expect(await of(newId(), "posting")).toMatchObject(unmatched);
    expect(await of(reference, "refund")).toMatchObject(unmatched);
    cardId = (await newCard(integrator)).id;
    expect(await of(reference, "posting")).toMatchObject(unmatched);
    const authorization_reference = newId();
    const other = (await newCard(integrator, 10)).id;
    const authorization = { reference: authorization_reference, card_id: other, amount: 1 };
    await send("authorizations", { ...authorization, currency: "USD" });
    expect(await refund(1, { authorization_reference })).toMatchObject(unmatched);
  });

  test.each([
    ["authorization_reference", { transaction_id: newId(), authorization_reference: "a" }],
    [
      "original_reference",
      { transaction_id: newId(), original_reference: "a", original_kind: "capture" },
    ],
    ["original_reference", { original_reference: "a" }],
    ["original_kind", { original_kind: "capture" }],
    ["original_kind", { original_reference: "a", original_kind: "purchase" }],
  ])("that names %s wrongly is refused, and the member is named", async (member, body) => {
    expect(await refund(1, body)).toMatchObject({
      status: 422,
      json: { code: "validation_failed", errors: { [member]: [expect.any(String)] } },
    });
  });
});

describe("the reversal of an original", () => {
  test("takes it back once; a second one under a reference of its own changes nothing", async () => {
    const reference = newId();
    const bought = toRow(await post(120, { reference }));
    const first = await takeBack(reference, "capture");
    expect(first).toMatchObject({
      status: 200,
      json: { data: { type: "deduct-reversal", amount: 120, takes_back: bought.id } },
    });
    const money = { card: 100, outstanding: 0, float: 50, deficit: 0 };
    expect(await readMoney()).toEqual(money);
    expect(toRow(await takeBack(reference, "posting")).id).toBe(toRow(first).id);
    expect(await readMoney()).toEqual(money);
  });

  test("that comes first is remembered, and the original is taken back as it is booked", async () => {
    const [bought, refunded] = [newId(), newId()];
    expect(await takeBack(bought, "posting")).toMatchObject({ json: { data: null } });
    expect(await takeBack(refunded, "refund")).toMatchObject({ json: { data: null } });
    expect(await post(120, { reference: bought })).toMatchObject({
      json: { data: { type: "deduct", taken_back: 120, refunded: 0 } },
    });
    expect(await refund(30, { reference: refunded })).toMatchObject({
      json: { data: { type: "deduct-reversal", taken_back: 30 } },
    });
    expect(await readMoney()).toEqual({ card: 100, outstanding: 0, float: 50, deficit: 0 });
    expect(toRow(await takeBack(bought, "posting")).takes_back).toEqual(expect.any(String));
  });

  test("of another kind takes nothing back", async () => {
    const reference = newId();
    expect(await takeBack(reference, "refund")).toMatchObject({ json: { data: null } });
    expect(await post(20, { reference })).toMatchObject({ json: { data: { taken_back: 0 } } });
    expect(await takeBack(reference, "refund")).toMatchObject({ json: { data: null } });
    expect(await readMoney()).toMatchObject({ card: 80 });
  });

  test("and its original that arrive together: it is taken back, whichever comes first", async () => {
    for (let round = 0; round < 8; round += 1) {
      const reference = newId();
      const sent = [() => post(20, { reference }), () => takeBack(reference, "posting")];
      const replies = await Promise.all(
        (round % 2 ? sent : sent.toReversed()).map((each) => each()),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await readMoney()).toMatchObject({ card: 100, float: 50 });
    }
  });

  test.each([
    ["amount", { original_reference: "a", original_kind: "capture", amount: 1 }],
    ["original_kind", { original_kind: "capture" }],
    ["authorization_reference", {}],
    [
      "original_reference",
      { original_reference: "a", original_kind: "capture", authorization_reference: "b" },
    ],
  ])("that sends %s wrongly is refused, and the member is named", async (member, body) => {
    expect(await send("reversals", body)).toMatchObject({
      status: 422,
      json: { code: "validation_failed", errors: { [member]: [expect.any(String)] } },
    });
  });
});

test("cards with cover outstanding are listed", async () => {
  const list = async () =>
    (await call("GET /cards?cover_outstanding=true", { key: integrator.apiKey })).json;
  expect(await list()).toEqual([]);
  await post(110);
  expect(await list()).toMatchObject([{ id: cardId, cover_outstanding: 10 }]);
  expect(await call("GET /cards?cover_outstanding=yes", { key: integrator.apiKey })).toMatchObject({
    status: 422,
    json: { errors: { cover_outstanding: [expect.any(String)] } },
  });
});
