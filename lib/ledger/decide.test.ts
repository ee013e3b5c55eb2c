import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_MAX, adjustHeld, decide } from "#lib/ledger/decide.ts";
import type { WorkingBalances } from "#lib/ledger/decide.ts";
import { AMOUNT_MAX, BALANCE_MAX } from "#lib/base/money.ts";

const ids = ["float", "one", "two", "bank"] as const;
const move = fc
  .record({
    debitAccountId: fc.constantFrom(...ids),
    creditAccountId: fc.constantFrom(...ids),
    amount: fc.oneof(
      fc.integer({ min: 1, max: 500 }),
      fc.constant("all" as const),
      fc.constant(AMOUNT_MAX),
    ),
  })
  .filter(({ debitAccountId, creditAccountId }) => debitAccountId !== creditAccountId)
  // "all" of an outside account is never requested: it has no balance.
  .filter(({ debitAccountId, amount }) => debitAccountId !== "bank" || amount !== "all");

test("no sequence of moves takes a balance below its holds; refusals change nothing, and money is conserved", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.nat(100), (moves, held) => {
      const balances: WorkingBalances = new Map([
        ["float", { balance: 1_000, held: 0, version: 0 }],
        ["one", { balance: held, held, version: 0 }],
        ["two", { balance: 50, held: 0, version: 0 }],
      ]);
      const total = () => [...balances.values()].reduce((sum, { balance }) => sum + balance, 0);
      for (const requested of moves) {
        const before = structuredClone(balances);
        const decision = decide(balances, requested);
        expect(decision.posted || isDeepStrictEqual(balances, before)).toBe(true);
        const amount = decision.posted
          ? decision.parts.reduce((sum, part) => sum + part.amount, 0)
          : 0;
        const inward = requested.debitAccountId === "bank" ? amount : 0;
        const outward = requested.creditAccountId === "bank" ? amount : 0;
        const was = [...before.values()].reduce((sum, { balance }) => sum + balance, 0);
        expect(total()).toBe(was + inward - outward);
      }
      for (const account of balances.values()) {
        expect(account.balance).toBeGreaterThanOrEqual(account.held);
        expect(account.balance).toBeLessThanOrEqual(BALANCE_MAX);
      }
    }),
    { numRuns: 300 },
  );
});

test("a balance never exceeds the largest safe integer", () => {
  const balances: WorkingBalances = new Map([
    ["float", { balance: BALANCE_MAX - 5, held: 0, version: 7 }],
  ]);
  const topUp = { debitAccountId: "bank", creditAccountId: "float", amount: 6 };
  expect(decide(balances, topUp)).toMatchObject({ posted: false, reason: "limit" });
  expect(decide(balances, { ...topUp, amount: 5 })).toMatchObject({
    posted: true,
    parts: [{ credit: { balanceAfter: BALANCE_MAX, version: 8 } }],
  });
});

/** A card with 100, of which 30 is held, and an integrator that owes 40. */
function someFunds(): WorkingBalances {
  return new Map([
    ["card", { balance: 100, held: 30, version: 1 }],
    ["float", { balance: 0, held: 0, version: 4 }],
    ["deficit", { balance: -40, held: 0, version: 2, isDeficit: true }],
  ]);
}

const withdrawal = { debitAccountId: "card", creditAccountId: "float" };

test.each([
  ["one more than is available", { amount: 71 }, { reason: "insufficient", available: 70 }],
  ["nothing", { amount: 0 }, { reason: "insufficient", available: 70 }],
  [
    "everything, of which nothing is available",
    { debitAccountId: "float", creditAccountId: "card", amount: "all" },
    { reason: "nothing", available: 0 },
  ],
  [
    "more than is owed",
    { creditAccountId: "deficit", amount: 41 },
    { reason: "limit", available: 70 },
  ],
  ["what nobody owes", { amount: "owed" }, { reason: "insufficient", available: 70 }],
  [
    "what is owed outside",
    { creditAccountId: "bank", amount: "owed" },
    { reason: "insufficient", available: 70 },
  ],
] as const)("%s is refused", (_what, asked, refusal) => {
  const balances = someFunds();
  expect(decide(balances, { ...withdrawal, ...asked })).toEqual({ posted: false, ...refusal });
  expect(balances).toEqual(someFunds());
});

test.each([
  ["all that is available", { amount: 70 }, { amount: 70, left: 30 }],
  ["everything", { amount: "all" }, { amount: 70, left: 30 }],
  ["all that is owed", { creditAccountId: "deficit", amount: "owed" }, { amount: 40, left: 60 }],
  ["what is held, too", { amount: 100, release: 30 }, { amount: 100, left: 0 }],
] as const)("%s is moved", (_what, asked, { amount, left }) => {
  const balances = someFunds();
  const to = balances.get({ ...withdrawal, ...asked }.creditAccountId);
  const [was, version] = [to?.balance ?? 0, to?.version ?? 0];
  expect(decide(balances, { ...withdrawal, ...asked })).toEqual({
    posted: true,
    parts: [
      {
        amount,
        debit: { balanceAfter: left, version: 2 },
        credit: { balanceAfter: was + amount, version: version + 1 },
      },
    ],
  });
});

test("a repayment takes no more than is available", () => {
  const balances = someFunds();
  const asked = { debitAccountId: "card", creditAccountId: "deficit", amount: "owed" } as const;
  balances.set("card", { balance: 50, held: 30, version: 1 });
  expect(decide(balances, asked)).toMatchObject({ parts: [{ amount: 20 }] });
  expect(balances.get("deficit")).toMatchObject({ balance: -20 });
});

test("a deficit pays whatever is asked, and outside keeps no balance", () => {
  const asked = { debitAccountId: "deficit", creditAccountId: "bank", amount: 5_000 };
  expect(decide(someFunds(), asked)).toEqual({
    posted: true,
    parts: [{ amount: 5_000, debit: { balanceAfter: -5_040, version: 3 }, credit: null }],
  });
});

function withBalance(balance: number, held = 0): WorkingBalances {
  return new Map([["card", { balance, held, version: 0 }]]);
}

test("everything is as many transfers as it takes, up to a limit, and the first releases the hold", () => {
  const asked = { debitAccountId: "card", creditAccountId: "bank", amount: "all" } as const;
  const several = withBalance(2 * AMOUNT_MAX + 5, 7);
  expect(decide(several, { ...asked, release: 7 })).toMatchObject({
    parts: [
      { amount: AMOUNT_MAX, debit: { balanceAfter: AMOUNT_MAX + 5, version: 1 } },
      { amount: AMOUNT_MAX, debit: { balanceAfter: 5, version: 2 } },
      { amount: 5, debit: { balanceAfter: 0, version: 3 } },
    ],
  });
  expect(several.get("card")).toEqual({ balance: 0, held: 0, version: 3 });
  expect(decide(withBalance(ALL_MAX), asked)).toMatchObject({ posted: true });
  expect(decide(withBalance(ALL_MAX), { ...asked, amount: ALL_MAX })).toMatchObject({
    posted: true,
  });
  expect(decide(withBalance(ALL_MAX + 1), { ...asked, amount: ALL_MAX + 1 })).toMatchObject({
    posted: true,
  });
  expect(decide(withBalance(ALL_MAX + 1), asked)).toMatchObject({
    posted: false,
    reason: "too_much",
  });
});

test("no more is held than there is, and no more is released than is held", () => {
  const funds = { balance: 100, held: 30, version: 0 };
  expect(() => adjustHeld(funds, 71)).toThrow("Cannot hold 71 of a balance of 100 with 30 held.");
  expect(() => adjustHeld(funds, -31)).toThrow("Cannot hold -31 of a balance of 100 with 30 held.");
  expect(funds.held).toBe(30);
  adjustHeld(funds, 70);
  expect(funds.held).toBe(100);
  adjustHeld(funds, -100);
  expect(funds.held).toBe(0);
  const deficit = { balance: -40, held: 0, version: 0, isDeficit: true };
  adjustHeld(deficit, 10);
  expect(deficit.held).toBe(10);
});
