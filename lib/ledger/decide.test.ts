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
  // Everything there is, of the outside world, is nothing anybody asks for.
  .filter(({ debitAccountId, amount }) => debitAccountId !== "bank" || amount !== "all");

test("whatever is asked: nothing goes below what is held, refusals change nothing, and inside money is conserved", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.nat(100), (moves, held) => {
      const balances: WorkingBalances = new Map([
        ["float", { balance: 1_000, held: 0, version: 0 }],
        ["one", { balance: held, held, version: 0 }],
        ["two", { balance: 50, held: 0, version: 0 }],
      ]);
      const total = () => [...balances.values()].reduce((sum, { balance }) => sum + balance, 0);
      for (const wanted of moves) {
        const before = structuredClone(balances);
        const decision = decide(balances, wanted);
        expect(decision.posted || isDeepStrictEqual(balances, before)).toBe(true);
        const amount = decision.posted
          ? decision.parts.reduce((sum, part) => sum + part.amount, 0)
          : 0;
        const inward = wanted.debitAccountId === "bank" ? amount : 0;
        const outward = wanted.creditAccountId === "bank" ? amount : 0;
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

test("a balance never passes the largest safe integer", () => {
  const balances: WorkingBalances = new Map([
    ["float", { balance: BALANCE_MAX - 5, held: 0, version: 7 }],
  ]);
  const wanted = { debitAccountId: "bank", creditAccountId: "float", amount: 6 };
  expect(decide(balances, wanted)).toMatchObject({ posted: false, reason: "limit" });
  expect(decide(balances, { ...wanted, amount: 5 })).toMatchObject({
    posted: true,
    parts: [{ credit: { balanceAfter: BALANCE_MAX, version: 8 } }],
  });
});
