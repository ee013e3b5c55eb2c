import { BALANCE_MAX } from "#lib/money.ts";

/** The part of an account that a movement of money depends on. Amounts in minor units. */
export interface Funds {
  balance: number;
  held: number;
  version: number;
}

/** Money asked to go from the debited account to the credited one; `"all"` is everything available. */
export interface Move {
  debitAccountId: string;
  creditAccountId: string;
  amount: number | "all";
  /** How much of what the debited account holds is let go with the move: a capture's own hold. */
  release?: number;
}

/** An account's side of a posted move. */
export interface Side {
  balanceAfter: number;
  version: number;
}

/** A side is null on an outside account, which keeps no running balance. */
export type Decision =
  | { posted: true; amount: number; debit: Side | null; credit: Side | null }
  | { posted: false; reason: "insufficient" | "limit"; available: number };

/** Where the decisions of a batch stand so far: account id to funds. Outside accounts are not in it. */
export type Standing = Map<string, Funds>;

/**
 * Decides one move on balances that are locked, and moves `standing` on when it posts. Pure apart from that: no clock,
 * no database. A refusal changes nothing, so the moves after it are untouched by it.
 */
export function decide(standing: Standing, move: Move): Decision {
  const from = standing.get(move.debitAccountId);
  const to = standing.get(move.creditAccountId);
  const release = move.release ?? 0;
  const available = from ? from.balance - from.held + release : BALANCE_MAX;
  const amount = move.amount === "all" ? available : move.amount;
  if (amount < 1 || amount > available) {
    return { posted: false, reason: "insufficient", available };
  }
  if (to && to.balance + amount > BALANCE_MAX) {
    return { posted: false, reason: "limit", available };
  }
  return {
    posted: true,
    amount,
    debit: from ? moveOn(from, -amount, release) : null,
    credit: to ? moveOn(to, amount) : null,
  };
}

/**
 * Holds more of what an account has available, or with a negative amount lets go of what it holds.
 * @throws Error when there is not that much: whoever asks has looked.
 */
export function moveHeld(funds: Funds, amount: number): void {
  if (funds.held + amount < 0 || funds.held + amount > funds.balance) {
    throw new Error(`Of ${funds.balance} with ${funds.held} held, ${amount} cannot be held.`);
  }
  funds.held += amount;
}

function moveOn(funds: Funds, amount: number, release = 0): Side {
  moveHeld(funds, -release);
  funds.balance += amount;
  funds.version += 1;
  return { balanceAfter: funds.balance, version: funds.version };
}
