import { AMOUNT_MAX, BALANCE_MAX } from "#lib/base/money.ts";

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

/** One transfer of a posted move. A side is null on an outside account, which keeps no running balance. */
export interface Part {
  amount: number;
  debit: Side | null;
  credit: Side | null;
}

/**
 * Why nothing moved: the account has less than was asked for; `"all"` was asked for and there is nothing; the credited
 * balance would pass the largest amount kept; `"all"` is more than one request moves.
 */
export type RefusalReason = "insufficient" | "nothing" | "limit" | "too_much";

/** A posted move is one transfer, or with `"all"` as many as it takes, in their order. */
export type Decision =
  | { posted: true; parts: readonly [Part, ...Part[]] }
  | { posted: false; reason: RefusalReason; available: number };

/** How many transfers `"all"` may take: each is checked by the database, and a request has seconds. */
const PARTS_MAX = 250;

/** The most that `"all"` moves in one request, in minor units. */
export const ALL_MAX = PARTS_MAX * AMOUNT_MAX;

/** Where the decisions of a batch stand so far: account id to funds. Outside accounts are not in it. */
export type WorkingBalances = Map<string, Funds>;

/**
 * Decides one move on balances that are locked, and moves `balances` on when it posts. Pure apart from that: no clock,
 * no database. A refusal changes nothing, so the moves after it are untouched by it.
 */
export function decide(balances: WorkingBalances, move: Move): Decision {
  const from = balances.get(move.debitAccountId);
  const to = balances.get(move.creditAccountId);
  const release = move.release ?? 0;
  const available = from ? from.balance - from.held + release : BALANCE_MAX;
  const amount = move.amount === "all" ? available : move.amount;
  const isAll = move.amount === "all";
  const reason = findRefusal({ amount, available, isAll }, to);
  if (reason) {
    return { posted: false, reason, available };
  }
  const [first, ...others] = isAll ? split(amount) : [amount];
  const toPart = (part: number, released = 0): Part => ({
    amount: part,
    debit: from ? moveOn(from, -part, released) : null,
    credit: to ? moveOn(to, part) : null,
  });
  return {
    posted: true,
    parts: [toPart(first, release), ...others.map((part) => toPart(part))],
  };
}

function findRefusal(
  { amount, available, isAll }: { amount: number; available: number; isAll: boolean },
  to: Funds | undefined,
): RefusalReason | null {
  if (amount < 1 || amount > available) {
    return isAll ? "nothing" : "insufficient";
  }
  if (to && to.balance + amount > BALANCE_MAX) {
    return "limit";
  }
  return isAll && amount > ALL_MAX ? "too_much" : null;
}

/** An amount in parts that one transfer each may carry, the largest first. */
function split(amount: number): [number, ...number[]] {
  const parts: [number, ...number[]] = [Math.min(amount, AMOUNT_MAX)];
  for (let rest = amount - parts[0]; rest > 0; rest -= AMOUNT_MAX) {
    parts.push(Math.min(rest, AMOUNT_MAX));
  }
  return parts;
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
