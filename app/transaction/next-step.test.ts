import { describe, expect, test } from "vitest";
import { toNextStep } from "./next-step.ts";
import type { DeclinedCard, NextStep } from "./next-step.ts";
import { ROLES, roleDisabledReason } from "#lib/access/roles.ts";
import { FREEZE_LEVELS, FREEZE_REASONS, isProtective } from "#lib/cards/card-state.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";

const ACTIVE: DeclinedCard = {
  id: "card",
  status: "active",
  expired: false,
  freezes: [],
  isReviewed: false,
};

const STAFF = { type: "staff", name: "Ada Winter" } as const;
const RULE = { type: "system", name: "Velocity rule" } as const;

function toFrozen(
  level: FreezeLevel,
  reason: FreezeReason | null,
  {
    actor = STAFF,
    isReviewed = false,
  }: { actor?: typeof STAFF | typeof RULE; isReviewed?: boolean } = {},
): DeclinedCard {
  return { ...ACTIVE, status: "frozen", freezes: [{ level, reason, actor }], isReviewed };
}

const step = (reason: string, card: DeclinedCard) => toNextStep({ reason, forced: false }, card);

/** What stands under a decline: its text, and what its control does. */
function toCell(found: NextStep | null): string {
  const { text, control } = found ?? { text: null, control: null };
  const does = control === null ? null : "act" in control ? control.act : control.href;
  return `${text ?? "–"} → ${does ?? "–"}`;
}

/** What does not depend on how the card is frozen. */
const FIXED: Readonly<Record<string, string>> = {
  card_unknown: "– → –",
  reversed_before: "– → –",
  integrator_suspended: "– → –",
  card_closed: "– → /cards",
  card_expired: "– → /cards",
  single_use_spent: "– → /cards",
  currency_mismatch: "– → –",
  category_blocked: "– → –",
  country_blocked: "– → –",
  limit_exceeded: "– → –",
  insufficient_funds: "– → credit",
};

const PROTECTED: Readonly<Partial<Record<FreezeReason, string>>> = {
  lost: ": lost",
  stolen: ": stolen",
  suspected_fraud: ": suspected fraud",
  too_many_declines: ": too many declines",
  compromised: ": compromised",
  compliance: ": compliance",
};

const MILD: Readonly<Partial<Record<FreezeReason, string>>> = {
  inactivity: ": inactivity",
  cardholder_request: ": requested by cardholder",
  other: ": other",
  internal_review: ": internal review",
};

function toExpected(level: FreezeLevel, reason: FreezeReason | null): string {
  const why = reason === null ? "" : (PROTECTED[reason] ?? MILD[reason]);
  const isProtected = level === "compliance" || (reason !== null && reason in PROTECTED);
  const lifters = level === "compliance" ? " Only owners and admins may lift it." : "";
  return isProtected
    ? `Frozen by Ada Winter at the ${level} level${why}.${lifters} Do not lift it without a review: check the card's purchases, and note what you found. → /cards/card`
    : "– → unfreeze";
}

const CELLS = DECLINE_REASONS.flatMap((declined) =>
  [null, ...FREEZE_REASONS].flatMap((reason) =>
    FREEZE_LEVELS.map((level) => ({ declined, reason, level })),
  ),
);

test("each decline of a frozen card, by each reason and level of its freeze, has its advice", () => {
  expect(Object.keys({ ...PROTECTED, ...MILD }).toSorted()).toEqual(FREEZE_REASONS.toSorted());
  for (const { declined, reason, level } of CELLS) {
    expect([declined, reason, level, toCell(step(declined, toFrozen(level, reason)))]).toEqual([
      declined,
      reason,
      level,
      FIXED[declined] ?? toExpected(level, reason),
    ]);
  }
});

test("no cell offers any role to lift a protective freeze, reviewed or not, whoever made it", () => {
  const mild = { level: "staff", reason: "other", actor: STAFF } as const;
  for (const { declined, reason, level } of CELLS) {
    for (const actor of [STAFF, RULE]) {
      for (const isReviewed of [false, true]) {
        const card = toFrozen(level, reason, { actor, isReviewed });
        const isProtected =
          isProtective(reason) ||
          level === "compliance" ||
          (actor === RULE && reason !== "inactivity");
        for (const freezes of [card.freezes, [...card.freezes, mild], [mild, ...card.freezes]]) {
          const cell = toCell(step(declined, { ...card, freezes }));
          const offers = cell.endsWith("unfreeze");
          expect([cell, offers]).toEqual([cell, declined === "card_frozen" && !isProtected]);
        }
      }
    }
  }
});

test("what it does offer is disabled for the roles that may not do it", () => {
  const scopes = { unfreeze: "cards:write", credit: "funds:write" } as const;
  const mayNot = ROLES.flatMap((role) =>
    Object.values(scopes).flatMap((scope) => roleDisabledReason(role, scope) ?? []),
  );
  expect(mayNot).toHaveLength(2);
  expect(step("card_frozen", toFrozen("staff", "other"))?.control).toMatchObject({
    needs: "state",
  });
  expect(step("insufficient_funds", ACTIVE)?.control).toMatchObject({ needs: "funds" });
});

describe("the card as it is now decides", () => {
  test("once it is unfrozen or closed, nothing needs to be lifted", () => {
    expect(toCell(step("card_frozen", ACTIVE))).toContain("since been unfrozen");
    expect(toCell(step("card_frozen", { ...ACTIVE, status: "closed" }))).toBe("– → /cards");
  });

  test("a review is mentioned", () => {
    const card = toFrozen("staff", "suspected_fraud", { isReviewed: true });
    expect(step("card_frozen", card)?.text).toContain("reviewed since");
  });

  test("an expired card is not credited", () => {
    expect(step("insufficient_funds", { ...ACTIVE, expired: true })).toBeNull();
  });

  test.each(DECLINE_REASONS)(
    "after one that was forced with %s, nothing is to be done",
    (reason) => {
      expect(toNextStep({ reason, forced: true }, toFrozen("staff", "other"))).toBeNull();
    },
  );

  test("a reason of a later version has no advice", () => {
    expect(step("card_melted", ACTIVE)).toBeNull();
  });
});
