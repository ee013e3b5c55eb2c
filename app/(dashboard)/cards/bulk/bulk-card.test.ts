import { expect, test } from "vitest";
import { toPlan } from "./bulk-card.ts";
import type { BulkCard } from "./bulk-card.ts";
import { FREEZE_REASONS } from "#lib/cards/card-state.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";

function aCard(id: string, status: BulkCard["status"], reason?: FreezeReason): BulkCard {
  const freeze = status === "frozen" && {
    reason: reason ?? null,
    by: "Ada Winter",
    others: 0,
  };
  return { id, name: "Lin Osei", last4: "0561", status, statusVersion: 1, freeze: freeze || null };
}

const idsOf = (cards: readonly BulkCard[]) => cards.map(({ id }) => id);

test("freezing leaves out closed cards and those that are frozen already, each with its reason", () => {
  const cards = [
    aCard("a", "active"),
    aCard("b", "frozen", "lost"),
    aCard("c", "closed"),
    aCard("d", "frozen"),
  ];
  const { plain, protectedCards, skipped } = toPlan("freeze", cards);
  expect(idsOf(plain)).toEqual(["a"]);
  expect(protectedCards).toEqual([]);
  expect(skipped.map(({ card, why }) => [card.id, why])).toEqual([
    ["b", "Already frozen by Ada Winter: lost."],
    ["c", "This card is closed. Closing a card is final."],
    ["d", "Already frozen by Ada Winter."],
  ]);
});

test("unfreezing asks about each freeze that protects a card, and leaves out what is not frozen", () => {
  const frozen = FREEZE_REASONS.map((reason) => aCard(reason, "frozen", reason));
  const once = aCard("none", "frozen");
  const twice = { ...once, id: "twice", freeze: once.freeze && { ...once.freeze, others: 1 } };
  const cards = [...frozen, once, twice, aCard("a", "active"), aCard("c", "closed")];
  const { plain, protectedCards, skipped } = toPlan("unfreeze", cards);
  expect(idsOf(protectedCards)).toEqual([
    "lost",
    "stolen",
    "suspected_fraud",
    "too_many_declines",
    "compromised",
    "compliance",
  ]);
  expect(idsOf(plain)).toEqual([
    "cardholder_request",
    "inactivity",
    "internal_review",
    "other",
    "none",
  ]);
  expect(skipped.map(({ card, why }) => [card.id, why])).toEqual([
    ["twice", "Has several freezes. Lift them on the card's page."],
    ["a", "Not frozen."],
    ["c", "This card is closed. Closing a card is final."],
  ]);
});
