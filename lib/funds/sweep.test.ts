import { expect, test } from "vitest";
import { toSwept } from "#lib/funds/sweep.ts";
import type { LedgerAccount } from "#lib/ledger/accounts.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import { AMOUNT_MAX } from "#lib/base/money.ts";

/** Sweeps a card with this balance, of which 30 is held, to a float whose integrator owes 40. */
function sweep(balance: number) {
  const accounts = [
    { id: "card", kind: "card", balance, held: 30, version: 1 },
    { id: "float", kind: "float", balance: 0, held: 0, version: 1 },
    { id: "deficit", kind: "deficit", balance: -40, held: 0, version: 1 },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ].map((account) => [account.id, account as LedgerAccount] as const);
  let transfers = 0;
  const locked = {
    integratorId: "mine",
    byId: new Map(accounts),
    at: new Date(0),
    newId: () => String((transfers += 1)),
  };
  return decidePostings(unchangedAccounts(locked), [
    {
      kind: "card_sweep",
      debitAccountId: "card",
      creditAccountId: "float",
      amount: "all",
      currency: "USD",
      idempotencyKey: null,
      requestId: "request",
    },
  ]);
}

test("what is swept is what leaves the card, without what the float repays of it", () => {
  const swept = sweep(100);
  expect(swept.postings).toHaveLength(2);
  expect(toSwept(swept)).toBe(70);
});

test("what is swept in several transfers is their sum", () => {
  const swept = sweep(2 * AMOUNT_MAX + 37);
  expect(swept.postings).toHaveLength(4);
  expect(toSwept(swept)).toBe(2 * AMOUNT_MAX + 7);
});

test("nothing is swept of a card with nothing available", () => {
  expect(toSwept(sweep(30))).toBe(0);
});
