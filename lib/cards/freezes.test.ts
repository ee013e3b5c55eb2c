import { describe, expect, test } from "vitest";
import {
  afterEnds,
  amendFreeze,
  endsEarlier,
  findFreeze,
  liftEnded,
  liftFreezes,
  makeFreeze,
  toCardAfter,
  toFreezes,
  toNextEnd,
} from "#lib/cards/freezes.ts";
import type { FreezeTerms } from "#lib/cards/freezes.ts";
import { REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";

const AT = new Date("2026-01-01T00:00:00Z");
const LATER = new Date("2026-01-02T00:00:00Z");
const LATEST = new Date("2026-01-03T00:00:00Z");
const ada: ActorRef = { type: "staff", id: "ada", name: "Ada" };
const noor: ActorRef = { type: "staff", id: "noor", name: "Noor" };
const REAL_TIME = { clockOffsetS: 0 };

const staffs: Freeze = {
  level: "staff",
  frozenAt: AT,
  until: LATER,
  reason: "suspected_fraud",
  comment: "Called us",
  actor: ada,
  reasons: ["suspected_fraud"],
};

function holding(...freezes: Freeze[]): Card {
  return { id: "card", statusVersion: 3, updatedAt: AT, ...toFreezes(freezes) } as Card;
}

test("a freeze is made as asked, without an end, a comment, or a reason unless they are given", () => {
  const { until, reason, comment } = staffs;
  expect(makeFreeze({ level: "staff", reason, comment, until }, ada, AT)).toEqual(staffs);
  expect(makeFreeze({ level: "cardholder", reason: null }, ada, AT)).toEqual({
    level: "cardholder",
    frozenAt: AT,
    until: null,
    reason: null,
    comment: null,
    actor: ada,
    reasons: [],
  });
});

function amend(terms: Omit<FreezeTerms, "level">): Freeze {
  return amendFreeze(staffs, { level: "staff", ...terms }, noor);
}

describe("another request for a level", () => {
  test.each([
    ["its reason", { reason: "suspected_fraud" }],
    ["no reason", { reason: null }],
    ["its reason and its end", { reason: "suspected_fraud", until: LATER }],
    ["a comment on what stands", { reason: null, comment: "Again" }],
  ] as const)("changes nothing with %s", (_what, terms) => {
    expect(amend(terms)).toBe(staffs);
  });

  test("with a milder reason adds it, and keeps what belongs to the graver one", () => {
    const reasons = ["suspected_fraud", "cardholder_request"];
    expect(amend({ reason: "cardholder_request", comment: "Please" })).toEqual({
      ...staffs,
      reasons,
    });
    expect(amend({ reason: "cardholder_request", until: LATEST })).toEqual({
      ...staffs,
      until: LATEST,
      reasons,
    });
  });

  test("with a graver reason takes it with its comment and who gave it", () => {
    const graver = {
      ...staffs,
      reasons: ["suspected_fraud", "compromised"],
      reason: "compromised",
    };
    expect(amend({ reason: "compromised", comment: "Police" })).toEqual({
      ...graver,
      comment: "Police",
      actor: noor,
    });
    expect(amend({ reason: "compromised" })).toEqual({ ...graver, comment: null, actor: noor });
    expect(amend({ reason: "compromised", until: null })).toMatchObject({ until: null });
  });

  test("with another end takes it, and a comment only if there is one", () => {
    expect(amend({ reason: null, until: LATEST })).toEqual({ ...staffs, until: LATEST });
    expect(amend({ reason: null, until: null })).toEqual({ ...staffs, until: null });
    const commented = amend({ reason: null, until: LATEST, comment: "Longer" });
    expect(commented).toEqual({ ...staffs, until: LATEST, comment: "Longer" });
    expect(amend({ reason: null, until: LATEST, comment: null })).toMatchObject({ comment: null });
  });

  test("without an end keeps one that stands without", () => {
    const endless = { ...staffs, until: null };
    const terms = { level: "staff", reason: null } as const;
    expect(amendFreeze(endless, terms, noor)).toBe(endless);
    expect(amendFreeze(endless, { ...terms, until: null }, noor)).toBe(endless);
    expect(amendFreeze(endless, { ...terms, until: LATER }, noor)).toEqual(staffs);
  });
});

test.each([
  [LATER, LATEST, true],
  [LATER, null, true],
  [LATEST, LATER, false],
  [LATER, LATER, false],
  [null, LATER, false],
  [null, null, false],
])("an end at %s instead of %s is earlier: %s", (after, before, earlier) => {
  expect(endsEarlier({ ...staffs, until: after }, { ...staffs, until: before })).toBe(earlier);
});

describe("the freezes of a card", () => {
  const mild: Freeze = { ...staffs, level: "cardholder", reason: "cardholder_request" };
  const grave: Freeze = { ...staffs, level: "compliance", reason: "compliance" };
  const bare: Freeze = { ...staffs, level: "compliance", reason: null };

  test("are the gravest first, whose reason the card shows", () => {
    for (const freezes of [
      [mild, staffs, grave],
      [grave, staffs, mild],
      [staffs, grave, mild],
    ]) {
      const sorted = toFreezes(freezes).freezes;
      expect(sorted.map(({ level }) => level)).toEqual(toOrder(freezes));
    }
    expect(toFreezes([bare, mild])).toEqual({
      status: "frozen",
      freeze: mild,
      freezes: [mild, bare],
    });
    expect(toFreezes([mild, bare])).toEqual({
      status: "frozen",
      freeze: mild,
      freezes: [mild, bare],
    });
  });

  test("are in the order of their levels for the same reason, or for none", () => {
    for (const reason of ["lost", null] as const) {
      const [low, middle, high] = (["cardholder", "staff", "compliance"] as const).map((level) => ({
        ...staffs,
        level,
        reason,
      }));
      const all = [low, middle, high].flatMap((each) => each ?? []);
      expect(toFreezes(all).freezes).toEqual(all.toReversed());
      expect(toFreezes(all.toReversed()).freezes).toEqual(all.toReversed());
    }
  });

  test("leave a card active when there are none", () => {
    expect(toFreezes([])).toEqual({ status: "active", freeze: null, freezes: [] });
  });

  test("are found by their level", () => {
    expect(findFreeze(holding(mild, staffs), "staff")).toBe(staffs);
    expect(findFreeze(holding(mild), "staff")).toBeUndefined();
    expect(findFreeze(holding(mild), null)).toBeUndefined();
  });

  test("end next at the earliest of their ends", () => {
    const late = { ...mild, until: LATEST };
    const endless = { ...grave, until: null };
    expect(toNextEnd(holding(late, staffs, endless))).toEqual(LATER);
    expect(toNextEnd(holding({ ...grave, until: LATEST }, staffs))).toEqual(LATER);
    expect(toNextEnd({ freezes: [late, staffs] })).toEqual(LATER);
    expect(toNextEnd({ freezes: [staffs, late] })).toEqual(LATER);
    expect(toNextEnd(holding(endless))).toBeNull();
  });

  test("are lifted one after another, each as a change of its own", () => {
    const card = holding(mild, staffs);
    const lifts = [
      { level: "staff", comment: "Found", dueAt: null },
      { level: "cardholder", comment: null, dueAt: LATER },
    ] as const;
    const first = toCardAfter(card, toFreezes([mild]), LATER);
    const second = toCardAfter(first, toFreezes([]), LATER);
    expect(first).toMatchObject({ status: "frozen", statusVersion: 4, updatedAt: LATER });
    expect(second).toMatchObject({ status: "active", statusVersion: 5, freezes: [] });
    expect(liftFreezes(card, lifts, LATER)).toEqual([
      { ...lifts[0], before: card, card: first, reason: null },
      { ...lifts[1], before: first, card: second, reason: null },
    ]);
  });

  test("that have ended are lifted in the order of their ends", () => {
    const early = { ...mild, until: AT };
    const endless = { ...grave, until: null };
    for (const freezes of [
      [early, staffs, endless],
      [endless, staffs, early],
    ]) {
      const card = { ...holding(), status: "frozen", freezes, freeze: endless } as Card;
      const lifted = liftEnded(card, REAL_TIME, LATEST);
      expect(lifted).toMatchObject([
        { level: "cardholder", comment: null, dueAt: AT },
        {
          level: "staff",
          comment: null,
          dueAt: LATER,
          card: { status: "frozen", updatedAt: LATEST },
        },
      ]);
      expect(liftEnded(card, REAL_TIME, AT)).toMatchObject([{ level: "cardholder" }]);
    }
  });

  test("that have ended by the integrator's clock no longer count", () => {
    const card = holding(staffs);
    expect(afterEnds(card, REAL_TIME, AT)).toBe(card);
    expect(afterEnds(card, { clockOffsetS: 24 * 60 * 60 }, AT)).toEqual({
      ...card,
      status: "active",
      freeze: null,
      freezes: [],
      statusVersion: 4,
    });
    expect(afterEnds(card, REAL_TIME, LATEST).updatedAt).toBe(AT);
  });
});

/** Levels of freezes by the gravity of their reasons, as `lib/cards/card-state.ts` has it. */
function toOrder(freezes: readonly Freeze[]) {
  return REASONS_BY_SEVERITY.toReversed().flatMap((reason) =>
    freezes.filter((freeze) => freeze.reason === reason).map(({ level }) => level),
  );
}
