/**
 * The type of a transaction: a fund movement between float and card (`credit`, `debit`), a purchase, a refund, or the
 * verification of a card, which moves and holds nothing.
 */
export const TRANSACTION_TYPES = [
  "credit",
  "debit",
  "deduct",
  "deduct-reversal",
  "verification",
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The types in words for people. */
export const TRANSACTION_TYPE_NAMES: Readonly<Record<TransactionType, string>> = {
  credit: "Credit",
  debit: "Debit",
  deduct: "Purchase",
  "deduct-reversal": "Refund",
  verification: "Verification",
};

/** The state of a transaction. */
export const TRANSACTION_STATUSES = [
  "authorized",
  "settled",
  "declined",
  "reversed",
  "expired",
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** The statuses in words for people. */
export const TRANSACTION_STATUS_NAMES: Readonly<Record<TransactionStatus, string>> = {
  authorized: "Authorized",
  settled: "Settled",
  declined: "Declined",
  reversed: "Reversed",
  expired: "Expired",
};

/** The card network actions that the sandbox can simulate. */
export const SIMULATIONS = [
  "deduct",
  "deduct-reversal",
  "authorize",
  "verification",
  "increment",
  "capture",
  "reversal",
  "expire",
  "refund",
] as const;
export type Simulation = (typeof SIMULATIONS)[number];

/** How long funds stay held unless the authorization specifies otherwise: seven days. */
export const HOLD_LIFE_S = 7 * 24 * 60 * 60;
