import type { WriteContext } from "#lib/base/context.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { Moment } from "#lib/base/ids.ts";
import type { Side, Posted } from "#lib/ledger/decide.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { transactions } from "#db/schema/cards.ts";

export type Merchant = NonNullable<Transaction["merchant"]>;

/** The merchant's description of a purchase. `narrative` is stored as sent, unless it was cleaned. */
export interface PurchaseDescription {
  narrative: string | null;
  merchant: Merchant | null;
  /** What came for each member that was cleaned, by its path; null or absent if nothing was. */
  asReceived?: Transaction["asReceived"];
  /** What the merchant charged in its own currency, beside the amount billed in the card's. Null or absent if the same. */
  charged?: { amount: number; currency: string } | null;
}

/** A row with every column set, including those that the database would default. */
export type TransactionRow = typeof transactions.$inferSelect;

/** The column values of a row for everything that has not happened. */
export const EMPTY_TRANSACTION = {
  transferId: null,
  accountVersion: null,
  requestedAmount: null,
  narrative: null,
  merchant: null,
  asReceived: null,
  merchantAmount: null,
  merchantCurrency: null,
  declineReason: null,
  declineExplanation: null,
  declineForced: false,
  authorizationId: null,
  postedAs: null,
  coveredFloat: null,
  coveredDeficit: null,
  coverOf: null,
  refundOf: null,
  refunded: 0,
  refundExceeds: null,
  holdAmount: null,
  holdCaptured: null,
  holdReleased: null,
  holdExpiresAt: null,
  address: null,
  settledAt: null,
} satisfies Partial<TransactionRow>;

/**
 * The columns that say where and when a new row of a card originates. Its id encodes the same moment, so lists can find it
 * by time.
 */
export function toRowOrigin(
  ctx: Pick<WriteContext, "actor" | "request">,
  card: { id: string; currency: string },
  { at, newId }: Moment,
) {
  return {
    integratorId: ctx.actor.integratorId,
    id: newId(),
    cardId: card.id,
    currency: card.currency,
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
    createdAt: at,
  } satisfies Partial<TransactionRow>;
}

/** The columns that describe a purchase. */
export function toDescribed({ narrative, merchant, asReceived, charged }: PurchaseDescription) {
  return {
    narrative,
    merchant,
    asReceived: asReceived ?? null,
    merchantAmount: charged?.amount ?? null,
    merchantCurrency: charged?.currency ?? null,
  };
}

/** The balance columns of a row that moves no money. */
export function unchangedBalances(balance: number) {
  return { cardBalanceBefore: balance, cardBalanceAfter: balance };
}

export function toDeclined(decline: Decline) {
  return {
    status: "declined",
    declineReason: decline.reason,
    declineExplanation: decline.explanation,
    declineForced: decline.forced,
  } as const;
}

/**
 * The columns of a settled row, from the card's side of its transfer.
 * @param sign 1 when the card received the money, −1 when it paid.
 */
export function toSettled(posted: Posted, sign: 1 | -1) {
  const side: Side | null = sign === 1 ? posted.credit : posted.debit;
  if (!side) {
    throw new Error(`Transfer ${posted.transferId} did not change a card's balance.`);
  }
  return {
    status: "settled",
    amount: posted.amount,
    transferId: posted.transferId,
    accountVersion: side.version,
    cardBalanceBefore: side.balanceAfter - sign * posted.amount,
    cardBalanceAfter: side.balanceAfter,
    settledAt: posted.postedAt,
  } as const;
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

/**
 * The event of a card transaction. Its `amount` and `status` describe what just happened. When a hold is partly released,
 * they differ from the transaction's own.
 */
export function toTransactionEvent(
  ctx: Pick<WriteContext, "actor" | "request">,
  event: Extract<EventName, `card.${"" | "reverse-"}transaction${"" | "-declined"}`>,
  happened: {
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
  },
): EventDraft {
  const { transaction, transferId } = happened;
  return {
    event,
    subject: { type: "card", id: transaction.cardId },
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
    ...(transferId ? { transferId } : {}),
    data: {
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
      authorization_id: transaction.authorizationId,
      posted_as: transaction.postedAs,
      covered: toCoveredResource(transaction),
      refund_of: transaction.refundOf,
      refund_exceeds: transaction.refundExceeds,
      hold_remaining: happened.holdRemaining ?? toOpenHold(transaction),
      ...(event === "card.transaction-declined"
        ? {
            decline_reason: transaction.declineReason,
            decline_explanation: transaction.declineExplanation,
          }
        : {}),
      ...(event === "card.reverse-transaction"
        ? { due_at: happened.dueAt?.toISOString() ?? null }
        : {}),
    },
  };
}
