import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "#lib/ledger/decide.ts";
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
