import { expect, test } from "vitest";
import { adjustAccountHeld, decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { LedgerAccount, LockedAccounts } from "#lib/ledger/accounts.ts";
import type { PostRequest, WorkingBalances } from "#lib/ledger/decide.ts";
import { AMOUNT_MAX } from "#lib/base/money.ts";

/** A card with 100, of which 30 is held, and an integrator that owes 40. */
function someFunds(): WorkingBalances {
  return new Map([
    ["card", { balance: 100, held: 30, version: 1 }],
    ["float", { balance: 0, held: 0, version: 4 }],
    ["deficit", { balance: -40, held: 0, version: 2, isDeficit: true }],
  ]);
}

/** Locked accounts with these balances. The ids of transfers count from 1. */
function lock(balances: WorkingBalances): LockedAccounts {
  let count = 0;
  const accounts = [...balances].map(
    ([id, { balance, held, version }]) =>
      [id, { balance, held, version, id, kind: id, currency: "USD" } as LedgerAccount] as const,
  );
  return {
    integratorId: "mine",
    byId: new Map(accounts),
    at: new Date(0),
    newId: () => String((count += 1)),
  };
}

test("of locked accounts, only the deficit is one", () => {
  const changes = unchangedAccounts(lock(someFunds()));
  expect(changes.balances).toEqual(someFunds());
  expect(changes.postings).toEqual([]);
});

test("what is held of a locked account is changed in its balances, and of no other account", () => {
  const changes = unchangedAccounts(lock(someFunds()));
  expect(adjustAccountHeld(changes, "card", 5)).toEqual({ balance: 100, held: 35, version: 1 });
  expect(changes.balances.get("card")).toMatchObject({ held: 35 });
  expect(() => adjustAccountHeld(changes, "another", 5)).toThrow("Account another is not locked.");
});

const request: PostRequest = {
  kind: "card_debit",
  currency: "USD",
  idempotencyKey: "key",
  requestId: "request",
  debitAccountId: "card",
  creditAccountId: "float",
  amount: 60,
};

test("what a float in deficit receives repays the deficit, before the next decision", () => {
  const before = unchangedAccounts(lock(someFunds()));
  const { results, postings } = decidePostings(before, [request, { ...request, amount: 10 }]);
  const at = { postedAt: new Date(0) };
  const first = {
    ...at,
    transferId: "1",
    amount: 60,
    debit: { balanceAfter: 40, version: 2 },
    credit: { balanceAfter: 60, version: 5 },
  };
  const repaid = {
    ...at,
    transferId: "2",
    amount: 40,
    debit: { balanceAfter: 20, version: 6 },
    credit: { balanceAfter: 0, version: 3 },
  };
  const next = {
    ...at,
    transferId: "3",
    amount: 10,
    debit: { balanceAfter: 30, version: 3 },
    credit: { balanceAfter: 30, version: 7 },
  };
  expect(results).toEqual([
    { posted: true, transfers: [first], repaid: [repaid] },
    { posted: true, transfers: [next], repaid: [] },
  ]);
  const repayment = {
    ...request,
    kind: "deficit_repayment",
    debitAccountId: "float",
    creditAccountId: "deficit",
    amount: "owed",
    idempotencyKey: null,
  };
  expect(postings).toEqual([
    { request, transfer: first, idempotencyKey: "key" },
    { request: repayment, transfer: repaid, idempotencyKey: null },
    { request: { ...request, amount: 10 }, transfer: next, idempotencyKey: "key" },
  ]);
});

test("only the first transfer of a request has its key, after what was decided earlier", () => {
  const balances: WorkingBalances = new Map([
    ["card", { balance: AMOUNT_MAX + 1, held: 0, version: 0 }],
    ["float", { balance: 0, held: 0, version: 0 }],
  ]);
  const begun = decidePostings(unchangedAccounts(lock(balances)), [{ ...request, amount: 1 }]);
  const { postings } = decidePostings(begun, [
    { ...request, amount: "all" },
    { ...request, amount: "all" },
  ]);
  expect(
    postings.map(({ transfer: { amount }, idempotencyKey }) => [amount, idempotencyKey]),
  ).toEqual([
    [1, "key"],
    [AMOUNT_MAX, "key"],
  ]);
  const both = decidePostings(unchangedAccounts(lock(balances)), [{ ...request, amount: "all" }]);
  expect(both.postings).toMatchObject([
    { transfer: { amount: AMOUNT_MAX }, idempotencyKey: "key" },
    { transfer: { amount: 1 }, idempotencyKey: null },
  ]);
});

test("a refused request is a refusal among the results, and repays nothing", () => {
  const { results, postings } = decidePostings(unchangedAccounts(lock(someFunds())), [
    { ...request, amount: 71 },
  ]);
  expect(results).toEqual([{ posted: false, reason: "insufficient", available: 70 }]);
  expect(postings).toEqual([]);
});

test("nothing is repaid of what another account receives, or without a deficit", () => {
  const owing = someFunds();
  owing.set("float", { balance: 90, held: 0, version: 0 });
  const credit = { ...request, debitAccountId: "float", creditAccountId: "card" };
  const changes = decidePostings(unchangedAccounts(lock(owing)), [credit]);
  expect(changes.results).toMatchObject([{ posted: true, repaid: [] }]);
  expect(changes.balances.get("deficit")).toMatchObject({ balance: -40 });
  const free = someFunds();
  free.delete("deficit");
  expect(decidePostings(unchangedAccounts(lock(free)), [request]).results).toMatchObject([
    { posted: true, repaid: [] },
  ]);
});
