import { describe, expect, test } from "vitest";
import {
  Advised,
  idOf,
  integrator,
  key,
  on,
  transactionOf,
  useAdvised,
} from "#test/scene/advised.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard } from "#test/scene/fixtures.ts";
import { matchKept } from "#test/scene/unmatched-messages.ts";
import { newId } from "#lib/base/ids.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";

/** What came before an advice or at the same time, its repeats, and what is kept of it. */

useAdvised();

describe("messages that came before it", () => {
  test("a capture is counted, and names it", async () => {
    const { json } = await on.capture(30);
    const advised = await on.ask(100, { advice: true });
    expect(await on.readMoney()).toEqual({ balance: 970, held: 70 });
    const { data } = json as { data: { id: string } };
    expect(await on.readTransaction(data.id)).toMatchObject({ authorization_id: idOf(advised) });
  });

  test("a capture that named no card is booked with it", async () => {
    expect(await on.capture(30, { card_id: undefined })).toMatchObject({ status: 422 });
    await on.advise(100);
    expect(await on.readMoney()).toEqual({ balance: 970, held: 70 });
  });

  test("a reversal in part is counted, and one of everything leaves nothing", async () => {
    await on.release({ amount: 40 });
    await on.advise(100);
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 60 });
    const other = await Advised.on(key, integrator);
    await other.release();
    expect(await transactionOf(await other.advise(100))).toMatchObject({
      status: "reversed",
      overruled_decline: "reversed_before",
    });
    expect(await other.readMoney()).toEqual({ balance: 1_000, held: 0 });
  });
});

describe("on the wire", () => {
  test("a repeat gets the same answer, and another content is refused", async () => {
    await on.ask(1_500);
    const own = newId();
    const first = await on.advise(100, { reference: own });
    await on.capture(100);
    expect(await on.advise(100, { reference: own })).toMatchObject({ text: first.text });
    expect(await on.advise(101, { reference: own })).toMatchObject({
      status: 409,
      json: { code: "reference_reused" },
    });
    expect(await on.readMoney()).toEqual({ balance: 900, held: 0 });
  });

  test.each([
    ["an unknown card", () => on.advise(70, { card_id: newId() }), "no such card"],
    ["another currency", () => on.advise(70, { currency: "EUR" }), "another currency"],
  ])("%s: kept for the operator", async (_, sent, sentence) => {
    const { status, headers, json } = await sent();
    expect(status).toBe(422);
    expect(headers.get("retry-after")).not.toBeNull();
    expect(json).toMatchObject({
      code: "fact_unmatched",
      detail: expect.stringContaining(sentence),
    });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 0 });
  });

  test("another card than its authorization's: kept for the operator", async () => {
    await on.ask(100);
    const { id } = await newCard(integrator, 100);
    expect(await on.advise(150, { card_id: id })).toMatchObject({
      status: 422,
      json: { code: "fact_unmatched" },
    });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 100 });
  });

  test("authorization_reference is allowed with advice only", async () => {
    expect(await on.advise(70, { advice: false })).toMatchObject({
      status: 422,
      json: { errors: { authorization_reference: [expect.stringContaining("advice")] } },
    });
  });

  test("with a capture at the same time, the money is the same in either order", async () => {
    for (let round = 0; round < 10; round += 1) {
      const other = await Advised.on(key, integrator);
      const replies = await Promise.all([other.advise(100), other.capture(40), other.ask(100)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await other.readMoney()).toEqual({ balance: 960, held: 60 });
    }
  });
});

test("in every order with the question, a capture, and a reversal in part, the money is the same", async () => {
  const messages = [
    (to: Advised) => to.ask(100),
    (to: Advised) => to.advise(100),
    (to: Advised) => to.capture(40),
    (to: Advised) => to.release({ amount: 20 }),
  ];
  for (const order of toOrders(messages)) {
    const to = await Advised.on(key, integrator);
    for (const message of order) {
      expect(await message(to)).toMatchObject({ status: 200 });
    }
    expect(await to.readMoney()).toEqual({ balance: 960, held: 40 });
  }
});

function toOrders<Each>(all: readonly Each[]): Each[][] {
  return all.length === 0
    ? [[]]
    : all.flatMap((each) =>
        toOrders(all.filter((other) => other !== each)).map((rest) => [each, ...rest]),
      );
}

describe("one that is kept", () => {
  test("is recorded where the operator matches it, and a repeat gets that answer", async () => {
    const own = newId();
    const body = { reference: own, card_id: newId() };
    expect(await on.advise(70, body)).toMatchObject({ status: 422 });
    expect(await matchKept(own, on.cardId)).toMatchObject({ code: 0, err: "" });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 70 });
    expect(await on.advise(70, body)).toMatchObject({
      status: 200,
      json: { decision: "approved", amount: 70, available: 930 },
    });
    expect(await on.capture(70)).toMatchObject({ json: { data: { approved_by: "network" } } });
  });

  test("for another card than its authorization's, is recorded where the operator says that the card is right", async () => {
    await on.ask(100);
    const { id } = await newCard(integrator, 100);
    const body = { reference: newId(), card_id: id };
    await on.advise(50, body);
    expect(await matchKept(body.reference, id)).toMatchObject({ code: 0, err: "" });
    expect(await on.advise(50, body)).toMatchObject({ status: 200, json: { available: 50 } });
    expect(await on.readMoney()).toEqual({ balance: 1_000, held: 100 });
  });
});

test("the books balance", async () => {
  expect(await verifyBooks(testDatabase().db)).toEqual([]);
});
