import { POSTED_AS } from "#db/schema/posted-as.ts";
import type { PostedAs } from "#db/schema/posted-as.ts";

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
  "captured",
  "settled",
  "declined",
  "reversed",
  "expired",
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** The statuses in words for people. */
export const TRANSACTION_STATUS_NAMES: Readonly<Record<TransactionStatus, string>> = {
  authorized: "Authorized",
  captured: "Captured",
  settled: "Settled",
  declined: "Declined",
  reversed: "Reversed",
  expired: "Expired",
};

/**
 * What pays the part of a purchase that its card cannot pay, in this order: the float, and then the deficit, which the
 * integrator owes.
 */
export const COVER_SOURCES = ["float", "deficit"] as const;
export type CoverSource = (typeof COVER_SOURCES)[number];

/** How the card network posted a purchase without an approval for its full amount. */
export const POSTED_WITHOUT_APPROVAL = POSTED_AS.filter((each) => each !== "authorized");
export type PostedWithoutApproval = (typeof POSTED_WITHOUT_APPROVAL)[number];

/** How the card network posted a purchase, in words for people. */
export const POSTED_AS_NAMES: Readonly<Record<PostedAs, string>> = {
  without_authorization: "Without authorization",
  before_authorization: "Before its authorization",
  after_decline: "After its decline",
  after_reversal: "After its reversal",
  after_expiry: "After its expiry",
  stand_in: "Approved by the card network",
  after_close: "After the card was closed",
  over_authorization: "Above its authorization",
  authorized: "Authorized",
};

/** The card network actions that the sandbox can simulate. */
export const SIMULATIONS = [
  "deduct",
  "deduct-reversal",
  "authorize",
  "advice",
  "verification",
  "increment",
  "capture",
  "posting",
  "reversal",
  "expire",
  "refund",
  "take-back",
] as const;
export type Simulation = (typeof SIMULATIONS)[number];

/** How long funds stay held unless the authorization specifies otherwise: seven days. */
export const HOLD_LIFE_S = 7 * 24 * 60 * 60;
