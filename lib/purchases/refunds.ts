import { listRefundable } from "#lib/transactions/card-purchases.ts";
import { lockCard, lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Posted } from "#lib/ledger/decide.ts";
import {
  EMPTY_TRANSACTION,
  toRowOrigin,
  toSettled,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type {
  PurchaseDescription,
  TransactionRow,
} from "#lib/transactions/card-transaction-records.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { decideSweep } from "#lib/funds/sweep.ts";
import { writeSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Settlement } from "#lib/purchases/internal/settlement.ts";
import { formatMoney } from "#lib/base/money.ts";
import { findTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { pipeline } from "#db/pipeline.ts";

/** A requested refund to a card. */
export interface RefundRequest extends PurchaseDescription {
  cardId: string;
  /** The purchase to refund. Null for the newest purchase with that much left to refund. */
  transactionId: string | null;
  /** Minor units. Null for everything that is left to refund. */
  amount: number | null;
}

/**
 * Refunds a settled purchase, in full or in part, to its card. Frozen and expired cards are refunded too. A refund to a
 * closed card is swept to the float at once, so that no money is stranded.
 * @returns the new row, of type `deduct-reversal`.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `transaction_not_settled`, `refund_exceeds_purchase`,
 *   `balance_limit_exceeded`, `books_unbalanced`.
 */
export async function refund(ctx: WriteContext, request: RefundRequest): Promise<Transaction> {
  // The lock first: nothing can change the purchase read after it.
  const [locked, bought] = await pipeline([
    lockCard(ctx, request.cardId),
    findPurchase(ctx, request),
  ]);
  const amount = request.amount ?? toRefundable(bought);
  if (amount > toRefundable(bought) || amount === 0) {
    throw toExceededRefusal(bought, amount);
  }
  const { posted, ...settlement } = await decideRefund(ctx, locked, amount);
  const { account, accounts } = settlement.card;
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    ...toSettled(posted, 1),
    type: "deduct-reversal",
    narrative: request.narrative ?? bought.narrative,
    merchant: request.merchant ?? bought.merchant,
    asReceived: request.asReceived ?? null,
    refundOf: bought.id,
  };
  const { transferId } = posted;
  await writeSettlement(ctx, settlement, {
    transactions: [transaction],
    updates: [{ id: bought.id, set: { refunded: bought.refunded + amount } }],
    events: [toTransactionEvent(ctx, "card.reverse-transaction", { transaction, transferId })],
  });
  return transaction;
}

function toRefundable({ amount, refunded }: Transaction): number {
  return amount - refunded;
}

async function findPurchase(ctx: WriteContext, request: RefundRequest): Promise<Transaction> {
  return request.transactionId === null
    ? findNewestRefundable(ctx, request.cardId, request.amount ?? 1)
    : findPurchaseById(ctx, request.cardId, request.transactionId);
}

async function findPurchaseById(
  ctx: WriteContext,
  cardId: string,
  id: string,
): Promise<Transaction> {
  const row = await findTransaction(toReadContext(ctx), id);
  if (row?.cardId !== cardId) {
    throw notFound("transaction_not_found");
  }
  if (row.type !== "deduct" || row.status !== "settled") {
    throw new DomainError(
      "transaction_not_settled",
      "Only a settled purchase can be refunded. To cancel an open authorization, reverse it.",
    );
  }
  return row;
}

async function findNewestRefundable(
  ctx: WriteContext,
  cardId: string,
  amount: number,
): Promise<Transaction> {
  const [row] = await listRefundable(toReadContext(ctx), cardId, { amount, limit: 1 });
  if (!row) {
    throw new DomainError(
      "refund_exceeds_purchase",
      "This card has no settled purchase with that much left to refund.",
    );
  }
  return row;
}

/** Decides to pay a refund from the network to a card, and on to the float if the card is closed. */
async function decideRefund(
  ctx: WriteContext,
  locked: LockedCard,
  amount: number,
): Promise<Settlement & { posted: Posted }> {
  const isClosed = locked.account.status === "closed";
  const card = isClosed ? await lockWithFloat(ctx, locked) : locked;
  const { integrator, account, accounts } = card;
  const { results, ...changes } = decidePostings(unchangedAccounts(accounts), [
    {
      kind: "card_refund",
      debitAccountId: integrator.networkId,
      creditAccountId: account.id,
      amount,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
  ]);
  const [refunded] = results;
  if (!refunded?.posted) {
    throw new DomainError(
      "balance_limit_exceeded",
      "The receiving balance would exceed the maximum.",
    );
  }
  const [posted] = refunded.transfers;
  const swept = isClosed ? decideSweep(ctx, card, changes) : changes;
  return { card, changes: swept, isSpent: false, posted };
}

function toExceededRefusal(bought: Transaction, amount: number): DomainError {
  const money = (sum: number) => formatMoney(sum, bought.currency);
  return new DomainError(
    "refund_exceeds_purchase",
    amount === 0
      ? "This purchase has already been refunded in full."
      : `${money(toRefundable(bought))} of this purchase can still be refunded; ${money(amount)} was requested.`,
  );
}
