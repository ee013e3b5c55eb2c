import type { WriteContext } from "#lib/base/context.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { Moment } from "#lib/base/ids.ts";
import type { Side, Posted } from "#lib/ledger/decide.ts";
import { toEventData } from "#lib/transactions/transaction-resource.ts";
import type { Happened, PurchaseEvent } from "#lib/transactions/transaction-resource.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/transactions.ts";
import { toEmptyColumns } from "#db/table-columns.ts";

export type Merchant = NonNullable<Transaction["merchant"]>;

/** The merchant's description of a purchase. `narrative` is stored as sent, unless it was cleaned. */
export interface PurchaseDescription {
  narrative: string | null;
  merchant: Merchant | null;
  /** The original text of each member that was cleaned, by its path; null or absent if nothing was. */
  asReceived?: Transaction["asReceived"];
  /** What the merchant charged in its own currency. Null or absent if that is what the card is billed. */
  charged?: { amount: number; currency: string } | null;
  /** When it happened by the network's clock. Null or absent if the network did not say. */
  occurredAt?: Date | null;
}

/** A row with every column set, including those that the database would default. */
export type TransactionRow = typeof transactions.$inferSelect;

/** The columns of a row for which nothing has happened yet. */
export const EMPTY_TRANSACTION = {
  ...toEmptyColumns(transactions),
  declineForced: false,
  refunded: 0,
  takenBack: 0,
} satisfies Partial<TransactionRow>;

/**
 * The columns that say where and when a new row of a card originates. Its id encodes the same moment, so lists can
 * find it by time.
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
export function toDescribed({
  narrative,
  merchant,
  asReceived,
  charged,
  occurredAt,
}: PurchaseDescription) {
  return {
    narrative,
    merchant,
    asReceived: asReceived ?? null,
    merchantAmount: charged?.amount ?? null,
    merchantCurrency: charged?.currency ?? null,
    occurredAt: occurredAt ?? null,
  };
}

/** The balance columns of a row that moves no money. */
export function unchangedBalances(balance: number) {
  return { cardBalanceBefore: balance, cardBalanceAfter: balance };
}

/** @param heldBefore what other purchases hold on the card. */
export function toDeclined(decline: Decline, heldBefore: number) {
  return {
    status: "declined",
    declineReason: decline.reason,
    declineExplanation: decline.explanation,
    declineForced: decline.forced,
    heldBefore,
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

/**
 * The event of a card transaction. Its `amount` and `status` describe what just happened. When a hold is partly
 * released, they differ from the transaction's own.
 */
export function toTransactionEvent(
  ctx: Pick<WriteContext, "actor" | "request">,
  event: PurchaseEvent,
  happened: Happened,
): EventDraft {
  const { transaction, transferId } = happened;
  return {
    event,
    subject: { type: "card", id: transaction.cardId },
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
    ...(transferId ? { transferId } : {}),
    data: toEventData(event, happened),
  };
}
