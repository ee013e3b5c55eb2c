import { expect, test } from "vitest";
import { findRedactedMembers } from "./redacted-members.ts";
import { toBody } from "./to-body.ts";
import { registerUser } from "#lib/operations/cardholders/register-user.ts";
import { creditCard } from "#lib/operations/funds/credit-card.ts";

test("a body of which all was kept is sent byte for byte", () => {
  const text = `{ "amount":1 }`;
  expect(toBody({ text, body: { amount: 1 }, missing: [] }, {})).toBe(text);
  expect(toBody({ text: null, body: null, missing: [] }, {})).toBeNull();
});

test("what was redacted is asked for by name, and takes text or JSON as the contract says", () => {
  const body = { card_id: "a", amount: "[redacted]", narrative: "[redacted]" };
  const missing = findRedactedMembers(creditCard, body);
  expect(missing).toEqual([
    { path: ["amount"], isText: false },
    { path: ["narrative"], isText: true },
  ]);
  expect(toBody({ text: null, body, missing }, { amount: "2000", narrative: "2000" })).toBe(
    `{"card_id":"a","amount":2000,"narrative":"2000"}`,
  );
  expect(toBody({ text: null, body, missing }, { amount: "20 USD" })).toBe(
    `{"card_id":"a","amount":"20 USD"}`,
  );
});

test("members inside others are filled in where they were", () => {
  const body = { email: "[redacted]", address: { city: "[redacted]", line2: null } };
  const missing = findRedactedMembers(registerUser, body);
  expect(toBody({ text: null, body, missing }, { "address.city": "Accra" })).toBe(
    `{"address":{"city":"Accra","line2":null}}`,
  );
});
