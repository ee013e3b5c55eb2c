import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";

let key: string;

beforeAll(async () => {
  await openCardAccount(100_000, 50_000);
  key = await newProcessorKey();
});

function authorize(members: object): Promise<ApiReply> {
  const body = { reference: newId(), card_id: cardId, amount: 2_174, currency: "USD", ...members };
  return call("POST /processor/authorizations", { key, body });
}

function ask(line: string, body?: object): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}

const EUROS = { merchant_amount: 2_000, merchant_currency: "EUR" };

describe("what a merchant asked for in its own currency", () => {
  test("is kept beside the amount billed: on the transaction, in its event, and in the export", async () => {
    const approved = await authorize(EUROS);
    expect(approved.json).toMatchObject({ decision: "approved", amount: 2_174 });
    const { id } = approved.json as { id: string };
    expect((await ask(`GET /transactions/${id}`)).json).toMatchObject({
      data: { amount: 2_174, currency: "USD", ...EUROS },
    });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: { amount: 2_174, currency: "USD", ...EUROS },
    });
    const csv = await ask(`GET /exports/transactions?card_id=${cardId}&type=deduct`);
    expect(csv.text.split("\r\n")[1]).toMatch(/,20\.00,EUR,{6}[0-9-]{10},/u);
    const body = { reference: newId() };
    expect(
      await call(`POST /processor/authorizations/${id}/captures`, { key, body }),
    ).toMatchObject({ json: { data: { status: "settled", ...EUROS } } });
  });

  test("counts in the minor units of its own currency", async () => {
    await authorize({ merchant_amount: 3_200, merchant_currency: "JPY" });
    const csv = await ask(`GET /exports/transactions?card_id=${cardId}&type=deduct`);
    expect(csv.text.split("\r\n")[1]).toMatch(/,3200,JPY,{6}[0-9-]{10},/u);
    await authorize({ merchant_amount: 6_543, merchant_currency: "KWD" });
    const again = await ask(`GET /exports/transactions?card_id=${cardId}&type=deduct`);
    expect(again.text.split("\r\n")[1]).toMatch(/,6\.543,KWD,{6}[0-9-]{10},/u);
  });

  test("does not replace the amount billed, which must be in the card's currency", async () => {
    const declined = await authorize({ ...EUROS, currency: "EUR" });
    expect(declined.json).toMatchObject({ decline_reason: "currency_mismatch", amount: 0 });
    const { id } = declined.json as { id: string };
    expect((await ask(`GET /transactions/${id}`)).json).toMatchObject({ data: EUROS });
  });

  test.each([
    [
      { merchant_amount: 1 },
      "merchant_amount",
      "This field is allowed with merchant_currency only.",
    ],
    [
      { merchant_currency: "EUR" },
      "merchant_currency",
      "This field is allowed with merchant_amount only.",
    ],
    [{ ...EUROS, merchant_amount: -1 }, "merchant_amount", expect.any(String)],
  ])("is an amount with its currency: %j is refused", async (members, member, message) => {
    const errors = { [member]: [message] };
    expect(await authorize(members)).toMatchObject({ status: 422, json: { errors } });
    const body = { type: "authorize", amount: 1, ...members };
    expect(await ask(`POST /cards/${cardId}/mock-transaction`, body)).toMatchObject({
      status: 422,
      json: { errors },
    });
  });

  test("is in a currency that an integrator's own test spells as ISO 4217 does", async () => {
    const body = { type: "authorize", amount: 1, ...EUROS, merchant_currency: "978" };
    expect(await ask(`POST /cards/${cardId}/mock-transaction`, body)).toMatchObject({
      status: 422,
      json: { errors: { merchant_currency: [expect.any(String)] } },
    });
  });

  test("can be simulated, except for what follows another transaction", async () => {
    const line = `POST /cards/${cardId}/mock-transaction`;
    for (const type of ["authorize", "deduct"]) {
      expect((await ask(line, { type, amount: 2_174, ...EUROS })).json).toMatchObject({
        data: EUROS,
      });
    }
    expect(await ask(line, { type: "deduct-reversal", amount: 1, ...EUROS })).toMatchObject({
      status: 422,
      json: { errors: { merchant_amount: [expect.any(String)] } },
    });
  });
});
