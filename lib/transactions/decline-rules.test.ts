import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { describe, expect, test } from "vitest";
import {
  COUNTED_REASONS,
  DECLINE_REASONS,
  DECLINE_REASON_NAMES,
  findControlReason,
  findDecline,
  toDeclineReasonName,
  toForcedDecline,
} from "#lib/transactions/decline-rules.ts";
import type { Spending } from "#lib/transactions/decline-rules.ts";
import type { ControlledSpending, TightestLimit } from "#lib/transactions/controlled-spending.ts";

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
  controlled: null,
};

const controlled: ControlledSpending = {
  controls: {
    spending_limits: [],
    allowed_categories: null,
    blocked_categories: null,
    allowed_merchant_countries: null,
    blocked_merchant_countries: null,
  },
  source: "card",
  category: { code: "5814", toName: () => "Fast Food Restaurants (5814)" },
  country: { code: "US", toName: () => "United States" },
  limit: null,
};

/** A card with these controls. */
function under(
  controls: Partial<SpendingControls>,
  others: Partial<ControlledSpending> = {},
): Partial<Spending> {
  return {
    controlled: { ...controlled, controls: { ...controlled.controls, ...controls }, ...others },
  };
}

const limit: TightestLimit = {
  amount: 50_000,
  interval: "monthly",
  isForCategories: false,
  left: 999,
  needed: 1_000,
  resetsAt: new Date("2026-11-30T23:00:00Z"),
  timeZone: "Europe/Berlin",
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
  [
    "category_blocked",
    under({ blocked_categories: ["5814"] }),
    /^The category Fast Food Restaurants \(5814\) is blocked\. To allow it/u,
  ],
  [
    "country_blocked",
    under({ allowed_merchant_countries: ["GB"] }),
    /^The country United States is not among those allowed\. To allow it/u,
  ],
  [
    "limit_exceeded",
    under({}, { limit }),
    /^The monthly limit of \$500\.00 has \$9\.99 left until December 1, 00:00 \(Europe\/Berlin\), and this needs \$10\.00\. Wait/u,
  ],
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
    const all = Object.assign({}, fine, ...later, wrong, mergeControlled([...later, wrong]));
    expect(findDecline(all)?.reason).toBe(reason);
  });
});

/** What several cases say of a card's controls. */
function mergeControlled(cases: readonly Partial<Spending>[]): Partial<Spending> {
  const parts = cases.flatMap((each) => each.controlled ?? []);
  const controls = parts.map((part) =>
    Object.fromEntries(Object.entries(part.controls).filter(([, value]) => value !== null)),
  );
  return parts.length === 0
    ? {}
    : under(
        Object.assign({}, ...controls),
        Object.assign({}, ...parts.map(({ limit: of }) => of && { limit: of })),
      );
}

const CATEGORIES = ["5814", "5411", null];

test.each(CATEGORIES)(
  "an unknown category or country fails an allow-list and passes a block-list: %s",
  (code) => {
    const listed = { code, toName: () => "" };
    const decide = (controls: Partial<SpendingControls>) =>
      findDecline({
        ...fine,
        ...under(controls, { category: listed, country: { code: null, toName: () => "" } }),
      });
    expect(decide({ allowed_categories: ["5814"] })?.reason).toBe(
      code === "5814" ? undefined : "category_blocked",
    );
    expect(decide({ blocked_categories: ["5814"] })?.reason).toBe(
      code === "5814" ? "category_blocked" : undefined,
    );
    expect(decide({ allowed_merchant_countries: ["US"] })?.reason).toBe("country_blocked");
    expect(decide({ blocked_merchant_countries: ["US"] })).toBeNull();
  },
);

test("a verification is subject to lists, not to amounts", () => {
  const check = { ...fine, amount: 0 };
  const over = { ...limit, left: -5, needed: 0 };
  expect(findDecline({ ...check, ...under({}, { limit: over }) })).toBeNull();
  expect(findDecline({ ...check, ...under({ blocked_categories: ["5814"] }) })?.reason).toBe(
    "category_blocked",
  );
});

test.each([
  [500, 5_000, 500],
  [5_000, 300, 300],
  [-10, 5_000, 0],
])(
  "a part is the least of what a limit (%d) and the card (%d) leave: %d",
  (left, available, part) => {
    const asked = { ...fine, amount: 6_000, available };
    expect(
      findDecline({ ...asked, ...under({}, { limit: { ...limit, left, needed: 6_000 } }) })
        ?.approvable,
    ).toBe(part);
  },
);

test("without limits, a part is what the card leaves", () => {
  expect(findDecline({ ...fine, available: 999 })?.approvable).toBe(999);
});

test("nothing is approved in part in a blocked category", () => {
  const blocked = under({ blocked_categories: ["5814"] }, { limit });
  expect(findDecline({ ...fine, amount: 6_000, ...blocked })?.approvable).toBe(0);
});

test("a card of an account whose books are unbalanced is declined as suspended", () => {
  const decline = findDecline({ ...fine, booksUnbalanced: true });
  expect(decline).toMatchObject({ reason: "integrator_suspended", approvable: 0, forced: false });
  expect(decline?.explanation).toMatch(/ledger check.*discrepancy.*until it is resolved\.$/u);
});

test("of what an account or the card network caused, nothing counts toward an automatic freeze", () => {
  expect(COUNTED_REASONS).toEqual([
    "card_expired",
    "single_use_spent",
    "currency_mismatch",
    "category_blocked",
    "country_blocked",
    "limit_exceeded",
    "insufficient_funds",
  ]);
});

test("every reason has a name of its own, and one of a later version is its own name", () => {
  const names = DECLINE_REASONS.map(toDeclineReasonName);
  expect(new Set(names).size).toBe(DECLINE_REASONS.length);
  for (const name of names) {
    expect(name).toMatch(/^[A-Z][a-z]/u);
  }
  expect(names).toEqual(DECLINE_REASONS.map((reason) => DECLINE_REASON_NAMES[reason]));
  expect(toDeclineReasonName("of_a_later_version")).toBe("of_a_later_version");
});

test("a forced decline has the chosen reason, and says that the sandbox forced it", () => {
  expect(toForcedDecline("card_frozen")).toEqual({
    reason: "card_frozen",
    explanation: expect.stringMatching(/^Card frozen: forced in the sandbox, .*Simulate without/u),
    approvable: 0,
    forced: true,
  });
});

/** Why these controls alone decline a purchase. */
function findReasonUnder(...controls: Parameters<typeof under>) {
  const spending = under(...controls).controlled;
  return spending && findControlReason(spending, 1_000);
}

test("controls alone decline for what they forbid, and for nothing else", () => {
  expect(findReasonUnder({})).toBeNull();
  expect(findReasonUnder({ blocked_categories: ["5814"] })).toBe("category_blocked");
  expect(findReasonUnder({ allowed_merchant_countries: ["GB"] })).toBe("country_blocked");
  expect(findReasonUnder({}, { limit })).toBe("limit_exceeded");
});
