import { expect, test } from "vitest";
import { toCleared } from "#lib/purchases/internal/clearing.ts";
import { toDescribed } from "#lib/transactions/card-transaction-records.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

const CAFE = { name: "Cafe", mcc: "5812", city: "Lyon", country: "FR" };
const AUTHORIZED: PurchaseDescription = {
  narrative: "Lunch",
  merchant: CAFE,
  asReceived: { narrative: "Lunch\u0007", "merchant.name": "Cafe\u0007", "merchant.city": "Lyon " },
  charged: { amount: 900, currency: "EUR" },
  occurredAt: new Date("2026-03-01T12:00:00Z"),
};
const NOTHING: PurchaseDescription = { narrative: null, merchant: null };

/** An authorization that is described like this. */
function toRow(authorized: PurchaseDescription): Transaction {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...toDescribed(authorized), authorizedAs: null } as Transaction;
}

/** The columns of the authorization that a clearing replaces, or nothing. */
function replace(said: Partial<PurchaseDescription>, authorized = AUTHORIZED) {
  return toCleared(toRow(authorized), { ...NOTHING, ...said }).first;
}

test("a clearing that says nothing, or the same, changes nothing", () => {
  expect(replace({})).toEqual({});
  expect(replace(AUTHORIZED)).toEqual({});
});

test("the merchant's amount is the clearing's with its currency, and the authorization's if it has none", () => {
  const both = { merchantAmount: 1_000, merchantCurrency: "CHF" };
  expect(replace({ charged: { amount: 1_000, currency: "CHF" } })).toMatchObject(both);
  const authorized = { merchantAmount: 900, merchantCurrency: "EUR" };
  expect(replace({ narrative: "Dinner" })).toMatchObject({ narrative: "Dinner", ...authorized });
});

test("a merchant without a name keeps the authorized name, and one with a name replaces it", () => {
  const at = { ...CAFE, city: "Nice" };
  const named = { ...at, name: "Cafe Nice" };
  expect(replace({ merchant: { ...at, name: UNNAMED_MERCHANT } })).toMatchObject({ merchant: at });
  expect(replace({ merchant: named })).toMatchObject({ merchant: named });
});

test("of a merchant, what the clearing leaves out stays as authorized", () => {
  const named = { name: "Bar", mcc: null, city: null, country: null };
  expect(replace({ merchant: named })).toMatchObject({ merchant: { ...CAFE, name: "Bar" } });
  expect(replace({ merchant: named }, NOTHING)).toMatchObject({ merchant: named });
  const elsewhere = { name: "Bar", mcc: "5813", city: "Bern", country: "CH" };
  expect(replace({ merchant: elsewhere })).toMatchObject({ merchant: elsewhere });
});

test.each<[string, Partial<PurchaseDescription>, Readonly<Record<string, string>>]>([
  [
    "a narrative",
    { narrative: "Dinner" },
    { "merchant.name": "Cafe\u0007", "merchant.city": "Lyon " },
  ],
  [
    "a merchant's name",
    { merchant: { name: "Bar", mcc: null, city: null, country: null } },
    { narrative: "Lunch\u0007", "merchant.city": "Lyon " },
  ],
  [
    "a merchant's city without a name",
    { merchant: { name: UNNAMED_MERCHANT, mcc: null, city: "Nice", country: null } },
    { narrative: "Lunch\u0007", "merchant.name": "Cafe\u0007" },
  ],
])("the text as received of %s goes with the member that it was cleaned for", (_, said, kept) => {
  expect(replace(said).asReceived).toEqual(kept);
  const asReceived = { "merchant.country": "fr" };
  expect(replace({ ...said, asReceived }).asReceived).toEqual({ ...kept, ...asReceived });
});

test.each(["merchant_amount", "merchant_currency"])(
  "the %s as received is replaced with the merchant's amount",
  (member) => {
    const authorized = { ...AUTHORIZED, asReceived: { [member]: "?" } };
    const charged = { amount: 1_000, currency: "CHF" };
    expect(replace({ charged }, authorized)).toMatchObject({ asReceived: null });
    expect(replace({ narrative: "Dinner" }, authorized)).toMatchObject({
      asReceived: { [member]: "?" },
    });
  },
);

test("a row of its own has the amount and the time of this clearing alone", () => {
  const row = toRow(AUTHORIZED);
  expect(toCleared(row, undefined)).toMatchObject({
    first: {},
    further: { narrative: "Lunch", charged: null, occurredAt: null, authorizedAs: null },
  });
  const occurredAt = new Date("2026-03-02T12:00:00Z");
  const charged = { amount: 1_000, currency: "CHF" };
  expect(toCleared(row, { ...NOTHING, charged, occurredAt }).further).toMatchObject({
    narrative: "Lunch",
    charged,
    occurredAt,
    authorizedAs: { merchant_amount: 900, merchant_currency: "EUR" },
  });
});

test("a second clearing is merged with what was authorized, not with the first", () => {
  const row = toRow(AUTHORIZED);
  const { first } = toCleared(row, { ...NOTHING, narrative: "Dinner" });
  expect(toCleared({ ...row, ...first }, undefined).further).toMatchObject({ narrative: "Lunch" });
  const back = toCleared({ ...row, ...first }, { ...NOTHING, narrative: "Brunch" });
  expect(back.first).toMatchObject({
    narrative: "Brunch",
    occurredAt: AUTHORIZED.occurredAt,
    authorizedAs: { narrative: "Lunch", occurred_at: "2026-03-01T12:00:00.000Z" },
  });
});

test("a time that the network did not say stays unsaid in what was authorized", () => {
  const row = toRow(NOTHING);
  const { first } = toCleared(row, { ...NOTHING, narrative: "Lunch" });
  expect(first).toMatchObject({ authorizedAs: { occurred_at: null } });
  expect(toCleared({ ...row, ...first }, { ...NOTHING, narrative: "Dinner" }).first).toMatchObject({
    occurredAt: null,
  });
});
