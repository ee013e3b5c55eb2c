import { moneyCell } from "#lib/base/cell.ts";
import type { Cells } from "#lib/base/cell.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** A transaction's members in API responses and events, and its cells in a spreadsheet. */

export function toTransactionResource(transaction: Transaction) {
  return {
    id: transaction.id,
    card_id: transaction.cardId,
    type: transaction.type,
    status: transaction.status,
    amount: transaction.amount,
    requested_amount: transaction.requestedAmount,
    currency: transaction.currency,
    conversion_rate: 1 as const,
    card_balance_before: transaction.cardBalanceBefore,
    card_balance_after: transaction.cardBalanceAfter,
    narrative: transaction.narrative,
    merchant: transaction.merchant,
    as_received: transaction.asReceived,
    merchant_amount: transaction.merchantAmount,
    merchant_currency: transaction.merchantCurrency,
    authorized_as: transaction.authorizedAs,
    decline_reason: transaction.declineReason,
    decline_explanation: transaction.declineExplanation,
    approved_by: transaction.approvedBy,
    overruled_decline: transaction.overruledDecline,
    authorization_id: transaction.authorizationId,
    increment_of: transaction.incrementOf,
    posted_as: transaction.postedAs,
    covered: toCoveredResource(transaction),
    cover_of: transaction.coverOf,
    refund_of: transaction.refundOf,
    refunded: transaction.refunded,
    refund_exceeds: transaction.refundExceeds,
    takes_back: transaction.takesBack,
    taken_back: transaction.takenBack,
    hold: toHoldResource(transaction),
    actor: transaction.actor,
    created_at: transaction.createdAt.toISOString(),
    occurred_at: transaction.occurredAt?.toISOString() ?? null,
    settled_at: transaction.settledAt?.toISOString() ?? null,
  };
}

function toHoldResource(transaction: Transaction) {
  const { holdAmount, holdCaptured, holdReleased, holdExpiresAt } = transaction;
  if (holdAmount === null || holdExpiresAt === null) {
    return null;
  }
  return {
    amount: holdAmount,
    captured: holdCaptured ?? 0,
    released: holdReleased ?? 0,
    remaining: toOpenHold(transaction),
    expires_at: holdExpiresAt.toISOString(),
  };
}

/** What covered a purchase, as events and the API show it; null when its card paid all of it. */
export function toCoveredResource({
  coveredFloat,
  coveredDeficit,
}: Pick<Transaction, "coveredFloat" | "coveredDeficit">) {
  return coveredFloat === null ? null : { float: coveredFloat, deficit: coveredDeficit ?? 0 };
}

/** How much an authorization still holds, in minor units; 0 for any other transaction. */
export function toOpenHold({
  holdAmount,
  holdCaptured,
  holdReleased,
}: Pick<Transaction, "holdAmount" | "holdCaptured" | "holdReleased">): number {
  return (holdAmount ?? 0) - (holdCaptured ?? 0) - (holdReleased ?? 0);
}

/** The events of purchases. */
export type PurchaseEvent = Extract<
  EventName,
  `card.${"" | "reverse-"}transaction${"" | "-declined"}`
>;

export interface Happened {
  transaction: Transaction;
  amount?: number;
  status?: Transaction["status"];
  transferId?: string;
  /** The card's balance, when it differs from the row's. */
  balance?: number;
  /** What the authorization still holds, when the event is of another row. */
  holdRemaining?: number;
  /** The deadline of an authorization that expired. */
  dueAt?: Date | null;
  /** When it happened by the network's clock, when that is not the row's. */
  occurredAt?: Date | null;
}

/** What an event of a purchase says. */
export function toEventData(event: PurchaseEvent, happened: Happened) {
  const { transaction } = happened;
  return {
    amount: happened.amount ?? transaction.amount,
    requested_amount: transaction.requestedAmount,
    card_id: transaction.cardId,
    type: transaction.type,
    currency: transaction.currency,
    reference: transaction.id,
    status: happened.status ?? transaction.status,
    narrative: transaction.narrative,
    merchant: transaction.merchant,
    merchant_amount: transaction.merchantAmount,
    merchant_currency: transaction.merchantCurrency,
    card_balance_after: happened.balance ?? transaction.cardBalanceAfter,
    approved_by: transaction.approvedBy,
    overruled_decline: transaction.overruledDecline,
    authorization_id: transaction.authorizationId,
    increment_of: transaction.incrementOf,
    posted_as: transaction.postedAs,
    covered: toCoveredResource(transaction),
    refund_of: transaction.refundOf,
    refund_exceeds: transaction.refundExceeds,
    takes_back: transaction.takesBack,
    hold_remaining: happened.holdRemaining ?? toOpenHold(transaction),
    occurred_at: toOccurredAt(happened),
    ...(event === "card.transaction-declined"
      ? {
          decline_reason: transaction.declineReason,
          decline_explanation: transaction.declineExplanation,
        }
      : {}),
    ...(event === "card.reverse-transaction"
      ? { due_at: happened.dueAt?.toISOString() ?? null }
      : {}),
  };
}

function toOccurredAt({ transaction, occurredAt = transaction.occurredAt }: Happened) {
  return occurredAt?.toISOString() ?? null;
}

/** Columns by their header, in order. People read them by position, so a new one goes to `APPENDED_CELLS`. */
export const TRANSACTION_CELLS = {
  id: (transaction) => transaction.id,
  created_at: (transaction) => transaction.createdAt,
  settled_at: (transaction) => transaction.settledAt,
  type: (transaction) => transaction.type,
  status: (transaction) => transaction.status,
  amount: (transaction) => moneyCell(transaction.amount, transaction.currency),
  currency: (transaction) => transaction.currency,
  card_balance_before: (transaction) =>
    moneyCell(transaction.cardBalanceBefore, transaction.currency),
  card_balance_after: (transaction) =>
    moneyCell(transaction.cardBalanceAfter, transaction.currency),
  narrative: (transaction) => transaction.narrative,
  merchant_name: (transaction) => transaction.merchant?.name ?? null,
  merchant_mcc: (transaction) => transaction.merchant?.mcc ?? null,
  merchant_city: (transaction) => transaction.merchant?.city ?? null,
  merchant_country: (transaction) => transaction.merchant?.country ?? null,
  decline_reason: (transaction) => transaction.declineReason,
  decline_explanation: (transaction) => transaction.declineExplanation,
  hold_amount: (transaction) => moneyCell(transaction.holdAmount, transaction.currency),
  hold_captured: (transaction) => moneyCell(transaction.holdCaptured, transaction.currency),
  hold_released: (transaction) => moneyCell(transaction.holdReleased, transaction.currency),
  hold_expires_at: (transaction) => transaction.holdExpiresAt,
  refunded: (transaction) => moneyCell(transaction.refunded, transaction.currency),
  card_id: (transaction) => transaction.cardId,
  authorization_id: (transaction) => transaction.authorizationId,
  refund_of: (transaction) => transaction.refundOf,
  actor_type: (transaction) => transaction.actor.type,
  actor_name: (transaction) => transaction.actor.name,
  request_id: (transaction) => transaction.requestId,
  requested_amount: (transaction) => moneyCell(transaction.requestedAmount, transaction.currency),
  merchant_amount: (transaction) =>
    moneyCell(transaction.merchantAmount, transaction.merchantCurrency),
  merchant_currency: (transaction) => transaction.merchantCurrency,
  posted_as: (transaction) => transaction.postedAs,
  covered_float: (transaction) => moneyCell(transaction.coveredFloat, transaction.currency),
  covered_deficit: (transaction) => moneyCell(transaction.coveredDeficit, transaction.currency),
  cover_of: (transaction) => transaction.coverOf,
  refund_exceeds: (transaction) =>
    transaction.refundExceeds === null ? null : String(transaction.refundExceeds),
} satisfies Cells<Transaction>;

/** The last columns, after the `FINANCE_COLUMNS` that an export adds. */
export const APPENDED_CELLS = {
  increment_of: (transaction) => transaction.incrementOf,
  takes_back: (transaction) => transaction.takesBack,
  taken_back: (transaction) => moneyCell(transaction.takenBack, transaction.currency),
  occurred_at: (transaction) => transaction.occurredAt,
  approved_by: (transaction) => transaction.approvedBy,
  overruled_decline: (transaction) => transaction.overruledDecline,
} satisfies Cells<Transaction>;

/** Columns for accounting, which an export fills in addition to the transaction's own. */
const FINANCE_COLUMNS = [
  "created_date",
  "posted_at",
  "posted_date",
  "net",
  "holder",
  "last4",
  "category_name",
];

/** All columns of a spreadsheet of transactions. */
export const TRANSACTION_COLUMNS: readonly string[] = [
  ...Object.keys(TRANSACTION_CELLS),
  ...FINANCE_COLUMNS,
  ...Object.keys(APPENDED_CELLS),
];
