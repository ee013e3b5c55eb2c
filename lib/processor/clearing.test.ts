import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newProcessorKey } from "#test/scene/fixtures.ts";
import { eventsOf } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";

/** What the card network's messages say beside the money: the clearing of the purchase, and the time of each. */

let key: string;

beforeAll(async () => {
  await openCardAccount(100_000, 50_000);
  key = await newProcessorKey();
});

const send = (path: string, body: object): Promise<ApiReply> =>
  call(`POST /processor/${path}`, { key, body: { reference: newId(), ...body } });

const ASKED = {
  narrative: "ACME*HOLD",
  merchant: { name: "Acme Hotel", mcc: "7011", city: "Oakland", country: "US" },
  merchant_amount: 5_000,
  merchant_currency: "EUR",
  occurred_at: "2026-01-31T10:00:00+01:00",
};

async function authorize(members: object = {}): Promise<string> {
  const body = { card_id: cardId, amount: 100, currency: "USD", ...ASKED, ...members };
  return ((await send("authorizations", body)).json as { id: string }).id;
}

async function read(id: string): Promise<Record<string, unknown>> {
  const { json } = await call(`GET /transactions/${id}`, { key: integrator.apiKey });
  return (json as { data: Record<string, unknown> }).data;
}

async function simulate(body: object) {
  const mocked = { key: integrator.apiKey, body };
  const { json } = await call(`POST /cards/${cardId}/mock-transaction`, mocked);
  return (json as { data: { id: string } }).data;
}

async function readLast() {
  const { data } = (await eventsOf(integrator, cardId)).at(-1) ?? {};
  return data;
}

describe("what a clearing says of the purchase", () => {
  test("is what the transaction, its event, and the search say, beside what was authorized", async () => {
    const id = await authorize();
    const merchant = { name: "Acme Resort", mcc: "7012", city: null, country: "840" };
    const said = {
      narrative: "ACME*STAY",
      merchant,
      merchant_amount: 4_000,
      merchant_currency: 978,
    };
    const captured = await send(`authorizations/${id}/captures`, said);
    const expected = {
      narrative: "ACME*STAY",
      merchant: { name: "Acme Resort", mcc: "7012", city: "Oakland", country: "US" },
      merchant_amount: 4_000,
      merchant_currency: "EUR",
      as_received: { "merchant.country": "840", merchant_currency: "978" },
      occurred_at: "2026-01-31T09:00:00.000Z",
      authorized_as: { ...ASKED, as_received: null, occurred_at: "2026-01-31T09:00:00.000Z" },
    };
    expect(captured).toMatchObject({ status: 200, json: { data: { id, ...expected } } });
    expect(await read(id)).toMatchObject(expected);
    expect(await readLast()).toMatchObject({
      narrative: "ACME*STAY",
      merchant: expected.merchant,
      merchant_amount: 4_000,
    });
    const found = await call("GET /transactions?search=resort", { key: integrator.apiKey });
    expect(found.json).toMatchObject({ data: [{ id }] });
  });

  test("differs between two captures, and one that says nothing keeps what was authorized", async () => {
    const id = await authorize();
    const first = { amount: 10, narrative: "ONE" };
    const [one, two, three] = [
      await send(`authorizations/${id}/captures`, first),
      await send(`authorizations/${id}/captures`, { ...first, narrative: "TWO" }),
      await send(`authorizations/${id}/captures`, { amount: 10 }),
    ];
    const said = [one, two, three].map(({ json }) => {
      const { data } = json as { data: Record<string, unknown> };
      return [data["narrative"], data["authorized_as"] !== null, data["merchant_amount"]];
    });
    expect(said).toEqual([
      ["ONE", true, 5_000],
      ["TWO", true, null],
      ["ACME*HOLD", false, null],
    ]);
    expect(await read(id)).toMatchObject({
      merchant: ASKED.merchant,
      authorized_as: { narrative: "ACME*HOLD" },
    });
  });

  test("changes no answer that was given before", async () => {
    const id = await authorize();
    const part = { reference: newId(), amount: 10 };
    const before = await send(`authorizations/${id}/reversals`, part);
    const capture = { reference: newId(), narrative: "CLEARED\u0007" };
    const after = await send(`authorizations/${id}/captures`, capture);
    expect((await send(`authorizations/${id}/reversals`, part)).text).toBe(before.text);
    expect((await send(`authorizations/${id}/captures`, capture)).text).toBe(after.text);
    expect(before.text).toContain("ACME*HOLD");
    expect(after.text).toContain("ACME*HOLD");
  });

  test("that is the same leaves nothing beside it", async () => {
    const id = await authorize();
    const { narrative, merchant } = ASKED;
    expect(await send(`authorizations/${id}/captures`, { narrative, merchant })).toMatchObject({
      json: { data: { narrative, merchant, authorized_as: null } },
    });
  });
});

describe("the network's own time", () => {
  const occurred_at = "2026-02-01T00:00:00.000Z";

  test("stands beside ours, on each transaction and in each event", async () => {
    const id = await authorize();
    await send(`authorizations/${id}/increments`, { amount: 5, occurred_at });
    expect(await readLast()).toMatchObject({ occurred_at, amount: 105 });
    await send(`authorizations/${id}/reversals`, { amount: 5, occurred_at });
    expect(await readLast()).toMatchObject({ occurred_at, amount: 5 });
    await send(`authorizations/${id}/captures`, { occurred_at });
    expect(await read(id)).toMatchObject({ occurred_at, settled_at: expect.any(String) });
    const posted = { card_id: cardId, amount: 1, occurred_at };
    for (const path of ["captures", "refunds"]) {
      expect(await send(path, posted)).toMatchObject({ json: { data: { occurred_at } } });
      expect(await readLast()).toMatchObject({ occurred_at });
    }
    const csv = await call(`GET /exports/transactions?card_id=${cardId}`, {
      key: integrator.apiKey,
    });
    const [header = "", ...rows] = csv.text.split("\r\n");
    const columns = header.split(",");
    // From the end, because what a merchant said may have commas.
    const place = columns.indexOf("occurred_at") - columns.length;
    expect(rows.map((row) => row.split(",").at(place))).toContain(occurred_at);
  });

  test("is an RFC 3339 time, or absent", async () => {
    const posted = { card_id: cardId, amount: 1 };
    expect(await send("captures", { ...posted, occurred_at: "yesterday" })).toMatchObject({
      status: 422,
      json: { errors: { occurred_at: [expect.stringContaining("RFC 3339")] } },
    });
    expect(await send("captures", posted)).toMatchObject({ json: { data: { occurred_at: null } } });
  });
});

describe("the merchant's currency", () => {
  test.each([
    ["978", "EUR"],
    [392, "JPY"],
    [8, "ALL"],
    ["eur", "EUR"],
  ])("is read as %j", async (merchant_currency, code) => {
    const id = await authorize({ merchant_currency });
    expect(await read(id)).toMatchObject({ merchant_amount: 5_000, merchant_currency: code });
  });

  test.each(["000", "EURO", ""])(
    "is dropped with its amount if it is unknown: %j",
    async (code) => {
      const id = await authorize({ merchant_currency: code });
      expect(await read(id)).toMatchObject({
        merchant_amount: null,
        merchant_currency: null,
        as_received: { merchant_currency: code, merchant_amount: "5000" },
      });
    },
  );
});

describe("a test of an integrator", () => {
  test("simulates a final capture with its own description and time", async () => {
    const { id } = await simulate({ type: "authorize", amount: 50, narrative: "HOLD" });
    const clearing = { narrative: "STAY", occurred_at: "2026-02-01T00:00:00.000Z" };
    expect(
      await simulate({ type: "capture", transaction_id: id, amount: 20, final: true, ...clearing }),
    ).toMatchObject({
      ...clearing,
      authorized_as: { narrative: "HOLD", occurred_at: null },
      hold: { remaining: 0, released: 30 },
    });
  });
});
