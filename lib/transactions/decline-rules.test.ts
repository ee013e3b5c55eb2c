import { describe, expect, test } from "vitest";
import { DECLINE_REASONS, findDecline } from "#lib/transactions/decline-rules.ts";
import type { Spending } from "#lib/transactions/decline-rules.ts";

const fine: Spending = {
  reversedBefore: false,
  suspended: false,
  booksUnbalanced: false,
  status: "active",
  expired: false,
  singleUse: false,
  heldByOthers: 0,
  available: 1_000,
  cardCurrency: "USD",
  amount: 1_000,
  currency: "USD",
};

/** What is wrong in each case, in the order in which the rules are evaluated. */
const WRONG: readonly [string, Partial<Spending>, RegExp][] = [
  ["reversed_before", { reversedBefore: true }, /before it arrived\. There is nothing/u],
  ["integrator_suspended", { suspended: true }, /suspended.*\. .*resume/u],
  ["card_closed", { status: "closed" }, /closed\. Create another/u],
  ["card_expired", { expired: true }, /expired\. Create another/u],
  ["card_frozen", { status: "frozen" }, /frozen\. Find out why/u],
  ["single_use_spent", { singleUse: true, heldByOthers: 1 }, /single-use.*\. Create another/u],
  ["currency_mismatch", { currency: "EUR" }, /EUR.*USD\. Ask the merchant/u],
  ["insufficient_funds", { available: 999 }, /^Needs \$10\.00, has \$9\.99\. Credit the card/u],
];

test("a card that no rule declines can spend everything available", () => {
  expect(findDecline(fine)).toBeNull();
  expect(findDecline({ ...fine, singleUse: true })).toBeNull();
});

test("every reason that a rule can give has a case here", () => {
  expect(["card_unknown", ...WRONG.map(([reason]) => reason)]).toEqual(DECLINE_REASONS);
});

describe.each(WRONG)("%s", (reason, wrong, sentence) => {
  test("declines, and explains the case and the remedy in a sentence each", () => {
    const decline = findDecline({ ...fine, ...wrong });
    expect(decline?.reason).toBe(reason);
    expect(decline?.explanation).toMatch(sentence);
    expect(decline?.explanation.match(/\.(?= |$)/gu)).toHaveLength(2);
  });

  test("takes precedence over every later rule", () => {
    const at = WRONG.findIndex(([name]) => name === reason);
    const later = WRONG.slice(at + 1)
      .filter(([name]) => reason !== "card_closed" || name !== "card_frozen")
      .map(([, what]) => what);
    expect(findDecline(Object.assign({}, fine, ...later, wrong))?.reason).toBe(reason);
  });
});
