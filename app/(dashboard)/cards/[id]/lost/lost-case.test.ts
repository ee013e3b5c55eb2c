import { expect, test } from "vitest";
import type { CardResource } from "../acts.ts";
import { mustFreeze, NEW_CASE, toCaseText } from "./lost-case.ts";
import { CARD, FROZEN_CARD, REPLACEMENT } from "#lib/api/contract/card.ts";

const WORDS = { toTime: (at: string) => `[${at}]`, toAddress: (id: string) => `/cards/${id}` };

const toCard = (members: object) => ({ ...CARD, ...members }) as CardResource;
const frozen = { ...FROZEN_CARD } as CardResource;

const PURCHASE = {
  id: "p",
  name: "Kiosk",
  amount: 4_200,
  currency: "USD",
  status: "Settled",
  at: "2026-11-28T09:00:00.000Z",
};

test("the summary of a replaced card names both cards, the freeze, the marked purchases, and what is held", () => {
  const by = toCard({ ...REPLACEMENT, balance: 6_500 });
  const lost = {
    suspicious: [PURCHASE],
    noted: ["p"],
    freeze: frozen.freeze,
    outcome: { kind: "replaced" as const, by },
  };
  expect(toCaseText(toCard({ status: "closed", held: 1_500 }), lost, WORDS).split("\n")).toEqual([
    `Kofi Mensah •••• 0561: /cards/${CARD.id}`,
    "[2026-11-21T07:56:40.105Z]: Frozen by First key at the cardholder level: lost.",
    "1 suspicious purchase:",
    "- [2026-11-28T09:00:00.000Z] · Kiosk · $42.00 · Settled",
    `Closed, and replaced by •••• 7310 with $65.00: /cards/${REPLACEMENT.id}`,
    "Open authorizations hold $15.00 on the card and can still be captured.",
  ]);
});

test("the summary of a card that was only withdrawn from says that it is frozen, and nothing that is not known", () => {
  const outcome = { kind: "withdrawn" as const, amount: 5_000 };
  expect(toCaseText(frozen, { ...NEW_CASE, outcome }, WORDS).split("\n")).toEqual([
    `Kofi Mensah •••• 0561: /cards/${CARD.id}`,
    "$50.00 withdrawn to the float. The card is still frozen.",
  ]);
});

test("a card must be frozen first, unless a freeze already protects it or it is closed", () => {
  expect(mustFreeze(toCard({}))).toBe(true);
  expect(mustFreeze(frozen)).toBe(false);
  expect(mustFreeze(toCard({ status: "closed" }))).toBe(false);
  const [freeze] = frozen.freezes;
  const mild = { ...freeze, reason: "cardholder_request" };
  expect(mustFreeze(toCard({ status: "frozen", freeze: mild, freezes: [mild] }))).toBe(true);
});
