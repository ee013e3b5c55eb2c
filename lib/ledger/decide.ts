import { findAccount } from "#lib/ledger/accounts.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import { AMOUNT_MAX, BALANCE_MAX } from "#lib/base/money.ts";
import type { LimitUses } from "#db/schema/spending-controls.ts";

/** The properties of an account that a fund movement depends on. Amounts in minor units. */
export interface Funds {
  balance: number;
  held: number;
  version: number;
  /** The balance of a deficit is what its integrator owes: zero or less. No other balance is below zero. */
  isDeficit?: boolean;
}

/**
 * A requested movement of funds from the debited account to the credited account. `"all"` is everything available;
 * `"owed"` is as much of it as the credited deficit needs.
 */
export interface Move {
  debitAccountId: string;
  creditAccountId: string;
  amount: number | "all" | "owed";
  /** How much of the debited account's held funds the move releases: a capture releases its own hold. */
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
 * Why nothing moved. `insufficient`: the account has less available than requested. `nothing`: `"all"` was requested and
 * nothing is available. `limit`: the credited balance would exceed the maximum balance. `too_much`: `"all"` exceeds what
 * one request can move.
 */
export type RefusalReason = "insufficient" | "nothing" | "limit" | "too_much";

/** A posted move is one transfer. With `"all"` it is as many transfers as needed, in order. */
export type Decision =
  | { posted: true; parts: readonly [Part, ...Part[]] }
  | { posted: false; reason: RefusalReason; available: number };

/** The maximum number of transfers for `"all"`: the database checks each one, and a request has only seconds. */
const PARTS_MAX = 250;

/** The most that `"all"` moves in one request, in minor units. */
export const ALL_MAX = PARTS_MAX * AMOUNT_MAX;

/** The balances after the batch's decisions so far, by account id. Outside accounts are not included. */
export type WorkingBalances = Map<string, Funds>;

export type TransferKind =
  | "float_top_up"
  | "card_credit"
  | "card_debit"
  | "card_sweep"
  | "card_purchase"
  | "card_refund"
  | "cover"
  | "cover_return"
  | "deficit_cover"
  | "deficit_repayment";

/** One requested move. Its first transfer carries the request's idempotency key; further transfers carry none. */
export interface PostRequest extends Move {
  kind: TransferKind;
  currency: string;
  idempotencyKey: string | null;
  requestId: string;
}

/** One transfer of a posted move. */
export interface Posted extends Part {
  transferId: string;
  /** By the database's clock. The accounts' `updated_at` has the same time. */
  postedAt: Date;
}
export type Refused = Extract<Decision, { posted: false }>;
/**
 * One transfer for an amount; for `"all"` as many as needed. Either all of them are made or none. `repaid` are the
 * transfers by which a float that received funds repaid its integrator's deficit.
 */
export type PostResult =
  | { posted: true; transfers: readonly [Posted, ...Posted[]]; repaid: readonly Posted[] }
  | Refused;

/** A transfer to write, and the request it belongs to. */
export interface Posting {
  request: PostRequest;
  transfer: Posted;
  idempotencyKey: string | null;
}

/** Decisions about locked accounts that are not yet written: their balances, and the transfers between them. */
export interface AccountChanges {
  accounts: LockedAccounts;
  /** Includes what the decisions hold or release. */
  balances: WorkingBalances;
  postings: readonly Posting[];
  /** The new uses of spending limits, by the id of each card whose uses change; null for a card without limits. */
  uses?: ReadonlyMap<string, LimitUses | null>;
}

/** Locked accounts before any decision. To hold or release funds, adjust the working balances. */
export function unchangedAccounts(accounts: LockedAccounts): AccountChanges {
  const balances = new Map(
    [...accounts.byId].map(([id, { balance, held, version, kind }]) => [
      id,
      { balance, held, version, ...(kind === "deficit" ? { isDeficit: true } : {}) },
    ]),
  );
  return { accounts, balances, postings: [] };
}

/** Decided moves. `results` are in the order of the requests. */
export interface DecidedPostings extends AccountChanges {
  results: readonly PostResult[];
}

/**
 * Decides moves in order on the locked accounts, without a query. A refusal is one of the results. Funds that reach a
 * float with a deficit repay the deficit before the next decision.
 */
export function decidePostings(
  { accounts, balances, postings: earlier }: AccountChanges,
  requests: readonly PostRequest[],
): DecidedPostings {
  const postings = [...earlier];
  const post = (request: PostRequest) => {
    const decision = decide(balances, request);
    if (!decision.posted) {
      return decision;
    }
    const [first, ...others] = decision.parts;
    const transfers: [Posted, ...Posted[]] = [
      toPosted(first, accounts),
      ...others.map((part) => toPosted(part, accounts)),
    ];
    postings.push(
      ...transfers.map((transfer, index) => ({
        request,
        transfer,
        idempotencyKey: index === 0 ? request.idempotencyKey : null,
      })),
    );
    return { posted: true, transfers } as const;
  };
  const float = findAccount(accounts, "float");
  const deficit = findAccount(accounts, "deficit");
  const results = requests.map((request): PostResult => {
    const result = post(request);
    if (!result.posted) {
      return result;
    }
    const isOwing = deficit !== undefined && (balances.get(deficit.id)?.balance ?? 0) < 0;
    const repaid =
      isOwing && request.creditAccountId === float?.id
        ? post({
            ...request,
            kind: "deficit_repayment",
            debitAccountId: float.id,
            creditAccountId: deficit.id,
            amount: "owed",
            idempotencyKey: null,
          })
        : null;
    return { ...result, repaid: repaid?.posted ? repaid.transfers : [] };
  });
  return { accounts, balances, postings, results };
}

function toPosted(part: Part, { newId, at }: LockedAccounts): Posted {
  return { ...part, transferId: newId(), postedAt: at };
}

/**
 * Decides one move on locked balances, and updates `balances` when the move posts. Otherwise pure: no clock, no database.
 * A refusal changes nothing, so it does not affect the moves after it.
 */
export function decide(balances: WorkingBalances, move: Move): Decision {
  const from = balances.get(move.debitAccountId);
  const to = balances.get(move.creditAccountId);
  const release = move.release ?? 0;
  const available = toAvailable(from) + release;
  const isAll = move.amount === "all";
  const amount = toAmount(move, { available, to });
  const reason = findRefusal({ amount, available, isAll }, to);
  if (reason) {
    return { posted: false, reason, available };
  }
  const [first, ...others] = split(amount);
  const toPart = (part: number, released = 0): Part => ({
    amount: part,
    debit: from ? applyAmount(from, -part, released) : null,
    credit: to ? applyAmount(to, part) : null,
  });
  return {
    posted: true,
    parts: [toPart(first, release), ...others.map((part) => toPart(part))],
  };
}

/** What can leave an account. A deficit or an outside account can pay any amount. */
function toAvailable(from: Funds | undefined): number {
  return from && !from.isDeficit ? from.balance - from.held : BALANCE_MAX;
}

function toAmount(
  { amount }: Move,
  { available, to }: { available: number; to: Funds | undefined },
): number {
  if (amount === "owed") {
    return Math.min(available, -(to?.balance ?? 0));
  }
  return amount === "all" ? available : amount;
}

function findRefusal(
  { amount, available, isAll }: { amount: number; available: number; isAll: boolean },
  to: Funds | undefined,
): RefusalReason | null {
  if (amount < 1 || amount > available) {
    return isAll ? "nothing" : "insufficient";
  }
  if (to && to.balance + amount > (to.isDeficit ? 0 : BALANCE_MAX)) {
    return "limit";
  }
  return isAll && amount > ALL_MAX ? "too_much" : null;
}

/** Splits an amount into parts that each fit one transfer, the largest first. */
function split(amount: number): [number, ...number[]] {
  const parts: [number, ...number[]] = [Math.min(amount, AMOUNT_MAX)];
  for (let rest = amount - parts[0]; rest > 0; rest -= AMOUNT_MAX) {
    parts.push(Math.min(rest, AMOUNT_MAX));
  }
  return parts;
}

/**
 * Holds more of an account's available funds. A negative amount releases held funds.
 * @throws Error when the account does not have that much available or held. The caller must check first.
 */
export function adjustHeld(funds: Funds, amount: number): void {
  if (funds.held + amount < 0 || (funds.held + amount > funds.balance && !funds.isDeficit)) {
    throw new Error(
      `Cannot hold ${amount} of a balance of ${funds.balance} with ${funds.held} held.`,
    );
  }
  funds.held += amount;
}

/**
 * Holds more of a locked account's available funds. A negative amount releases held funds.
 * @returns the account's funds afterward.
 * @throws Error as `adjustHeld`, or when the account is not locked.
 */
export function adjustAccountHeld(
  { balances }: AccountChanges,
  accountId: string,
  amount: number,
): Funds {
  const funds = balances.get(accountId);
  if (!funds) {
    throw new Error(`Account ${accountId} is not locked.`);
  }
  adjustHeld(funds, amount);
  return funds;
}

function applyAmount(funds: Funds, amount: number, release = 0): Side {
  adjustHeld(funds, -release);
  funds.balance += amount;
  funds.version += 1;
  return { balanceAfter: funds.balance, version: funds.version };
}
