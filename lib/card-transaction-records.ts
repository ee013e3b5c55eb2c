import type { PgInsertValue } from "drizzle-orm/pg-core";
import type { WriteContext } from "#lib/context.ts";
import type { Decline } from "#lib/decline-rules.ts";
import type { EventDraft, EventName } from "#lib/events.ts";
import { newId } from "#lib/ids.ts";
import type { Side } from "#lib/ledger/decide.ts";
import type { Posted } from "#lib/ledger/post.ts";
import type { Transaction } from "#lib/transactions.ts";
import { transactions } from "#db/schema/cards.ts";
import type { Tx } from "#db/transaction.ts";

export type Merchant = NonNullable<Transaction["merchant"]>;

/** A transaction row about to be written. */
export type NewTransaction = PgInsertValue<typeof transactions>;

/** What the merchant's side says of a purchase. `narrative` is kept as it was sent. */
export interface Described {
  narrative: string | null;
  merchant: Merchant | null;
}

/** Writes one row. */
export async function insertTransaction(tx: Tx, row: NewTransaction): Promise<Transaction> {
  const [transaction] = await insertTransactions(tx, [row]);
  if (!transaction) {
    throw new Error("A transaction was written and did not come back.");
  }
  return transaction;
}

/** Writes rows in the order given. */
export async function insertTransactions(
  tx: Tx,
  rows: readonly NewTransaction[],
): Promise<Transaction[]> {
  if (rows.length === 0) {
    return [];
  }
  const inserted = await tx
    .insert(transactions)
    .values([...rows])
    .returning();
  const byId = new Map<unknown, Transaction>(inserted.map((row) => [row.id, row]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

/** What every new row of a card says of where it comes from. */
export function toRowOrigin(
  ctx: Pick<WriteContext, "actor" | "request">,
  card: { id: string; currency: string },
) {
  return {
    integratorId: ctx.actor.integratorId,
    id: newId(),
    cardId: card.id,
    currency: card.currency,
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
  } satisfies Partial<NewTransaction>;
}

/** The members of a row that stand for a balance nothing has moved. */
export function toStill(balance: number) {
  return { cardBalanceBefore: balance, cardBalanceAfter: balance };
}

export function toDeclined(decline: Decline) {
  return {
    status: "declined",
    declineReason: decline.reason,
    declineExplanation: decline.explanation,
  } as const;
}

/**
 * The members of a settled row, from the card's side of its transfer.
 * @param sign 1 where the card gained, −1 where it paid.
 */
export function toSettled(posted: Posted, sign: 1 | -1) {
  const side: Side | null = sign === 1 ? posted.credit : posted.debit;
  if (!side) {
    throw new Error(`The transfer ${posted.transferId} did not move a card.`);
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

/** What is still held of an authorisation; nothing of anything else. Minor units. */
export function toOpenHold({
  holdAmount,
  holdCaptured,
  holdReleased,
}: Pick<Transaction, "holdAmount" | "holdCaptured" | "holdReleased">): number {
  return (holdAmount ?? 0) - (holdCaptured ?? 0) - (holdReleased ?? 0);
}

/**
 * The event of a card transaction. Its `amount` and `status` are those of what just happened, which of a hold that was
 * let go in part are not the transaction's own.
 */
export function toTransactionEvent(
  ctx: Pick<WriteContext, "actor" | "request">,
  event: Extract<EventName, `card.${"" | "reverse-"}transaction${"" | "-declined"}`>,
  happened: {
    transaction: Transaction;
    amount?: number;
    status?: Transaction["status"];
    transferId?: string;
    /** The card's, where the row does not say it. */
    balance?: number;
    /** Of the authorisation, where this is another row's event. */
    holdRemaining?: number;
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
      card_id: transaction.cardId,
      currency: transaction.currency,
      reference: transaction.id,
      status: happened.status ?? transaction.status,
      narrative: transaction.narrative,
      merchant: transaction.merchant,
      card_balance_after: happened.balance ?? transaction.cardBalanceAfter,
      authorization_id: transaction.authorizationId,
      refund_of: transaction.refundOf,
      hold_remaining: happened.holdRemaining ?? toOpenHold(transaction),
      ...(event === "card.transaction-declined"
        ? {
            decline_reason: transaction.declineReason,
            decline_explanation: transaction.declineExplanation,
          }
        : {}),
    },
  };
}
