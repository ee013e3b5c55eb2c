import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";
import { formatMoney } from "#lib/base/money.ts";
import { TRANSACTION_TYPE_NAMES } from "#lib/transactions/transaction-kinds.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** The name of an authorization or purchase, by its status. */
const PURCHASE_TITLES: Readonly<Record<TransactionStatus, string>> = {
  authorized: "Authorization",
  captured: "Authorization of a captured purchase",
  settled: "Purchase",
  declined: "Declined",
  reversed: "Reversed authorization",
  expired: "Expired authorization",
};

/** The ways in which the network captures an authorization that has ended. */
const LATE: ReadonlySet<string> = new Set(["after_decline", "after_reversal", "after_expiry"]);

/** What happened, in two or three words. */
export function toTransactionTitle(transaction: Transaction): string {
  const { type, declineReason, coverOf, takesBack } = transaction;
  if (declineReason !== null) {
    return `${toDeclinedTitle(transaction)}: ${toDeclineReasonName(declineReason).toLowerCase()}`;
  }
  if (coverOf !== null) {
    return type === "credit" ? "Cover for a purchase" : "Cover returned";
  }
  if (takesBack !== null) {
    return type === "deduct" ? "Refund taken back" : "Purchase taken back";
  }
  return type === "deduct" ? toPurchaseTitle(transaction) : TRANSACTION_TYPE_NAMES[type];
}

function toPurchaseTitle(transaction: Transaction): string {
  const { status, authorizationId, requestedAmount, postedAs, approvedBy } = transaction;
  if (postedAs !== null && LATE.has(postedAs)) {
    return "Late capture";
  }
  if (postedAs === "before_authorization") {
    return "Early capture";
  }
  if (status === "settled" && authorizationId !== null) {
    return "Additional capture";
  }
  if (approvedBy !== null && status !== "settled") {
    return "Stand-in authorization";
  }
  return status === "authorized" && requestedAmount !== null
    ? "Partial authorization"
    : PURCHASE_TITLES[status];
}

/** Only an increment of an authorization can be declined: a further capture never is. */
function toDeclinedTitle({ type, authorizationId }: Transaction): string {
  if (type === "verification") {
    return "Declined verification";
  }
  return authorizationId === null ? PURCHASE_TITLES.declined : "Declined increment";
}

/** A transaction's amounts, in minor units. */
export type Amounts = Pick<
  Transaction,
  "amount" | "currency" | "cardBalanceBefore" | "cardBalanceAfter"
>;

/**
 * The merchant's charge in its own currency: `€20.00`. Null if unknown, or if the transaction's amount is not the
 * requested one.
 */
export function toMerchantMoney(transaction: Transaction): string | null {
  const { merchantAmount, merchantCurrency, amount, requestedAmount, holdAmount } = transaction;
  const isWhole = (requestedAmount ?? holdAmount ?? amount) === amount;
  return merchantAmount !== null && merchantCurrency !== null && isWhole
    ? formatMoney(merchantAmount, merchantCurrency)
    : null;
}
