import { listRefundable } from "#lib/transactions/card-purchases.ts";
import { lockCard, lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { decideCoverReturn } from "#lib/funds/cover.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Posted } from "#lib/ledger/decide.ts";
import {
  EMPTY_TRANSACTION,
  toDescribed,
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
import { lockForSweep, toSettlement, writeSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Settlement } from "#lib/purchases/internal/settlement.ts";
import { findTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";
import { pipeline } from "#db/pipeline.ts";

/** A requested refund to a card. */
export interface RefundRequest extends PurchaseDescription {
  cardId: string;
  /** The purchase to refund. Null for the newest purchase with that much left to refund. */
  transactionId: string | null;
  /** Minor units. Null for everything that is left to refund. */
  amount: number | null;
}

/** The settled purchase that a refund is for, if there is one, and whether the request named a transaction. */
export interface Purchased {
  named: boolean;
  purchase: Transaction | undefined;
}

/**
 * Records that the card network has refunded a purchase, in full or in part, whatever its card's state is. What float and
 * deficit covered of the purchase is given back first. A refund to a closed card is swept to the float at once, so that no
 * money is stranded. It may exceed what is left of its purchase, or have none.
 * @param require checks the purchase and the amount, under the card's lock; throws to refuse the refund.
 * @returns the new row, of type `deduct-reversal`.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `balance_limit_exceeded`, `clock_advancing`; without an
 *   amount, `refund_exceeds_purchase` when nothing is left to refund.
 */
export async function refund(
  ctx: WriteContext,
  request: RefundRequest,
  require: (of: Purchased, amount: number) => void = () => undefined,
): Promise<Transaction> {
  // The lock first: nothing can change the purchase read after it.
  const [locked, of] = await pipeline([lockCard(ctx, request.cardId), findPurchase(ctx, request)]);
  const { purchase } = of;
  const left = purchase ? toRefundable(purchase) : 0;
  const amount = request.amount ?? left;
  if (amount === 0) {
    throw new DomainError("refund_exceeds_purchase", "Nothing is left to refund.");
  }
  require(of, amount);
  const { posted, returned, ...settlement } = await decideRefund(ctx, locked, { purchase, amount });
  const { account, accounts } = settlement.card;
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    ...toSettled(posted, 1),
    ...toRefunded(request, purchase),
    refundExceeds: amount > left,
  };
  const { transferId } = posted;
  const refunded = {
    transactions: [transaction],
    updates: purchase
      ? [{ id: purchase.id, set: { refunded: purchase.refunded + Math.min(amount, left) } }]
      : [],
    events: [toTransactionEvent(ctx, "card.reverse-transaction", { transaction, transferId })],
  };
  await writeSettlement(ctx, settlement, refunded, returned);
  return transaction;
}

/** What a refund says of itself: the words of the request, or else those of the purchase. */
function toRefunded(request: PurchaseDescription, purchase: Transaction | undefined) {
  return {
    type: "deduct-reversal",
    ...toDescribed(request),
    narrative: request.narrative ?? purchase?.narrative ?? null,
    merchant: request.merchant ?? purchase?.merchant ?? null,
    refundOf: purchase?.id ?? null,
  } as const;
}

/** How much of a purchase can still be refunded. */
export function toRefundable({ amount, refunded }: Transaction): number {
  return amount - refunded;
}

async function findPurchase(ctx: WriteContext, request: RefundRequest): Promise<Purchased> {
  const { cardId, amount, transactionId } = request;
  if (transactionId === null) {
    const [purchase] = await listRefundable(toReadContext(ctx), cardId, {
      amount: amount ?? 1,
      limit: 1,
    });
    return { named: false, purchase };
  }
  const row = await findTransaction(toReadContext(ctx), transactionId);
  if (row?.cardId !== cardId) {
    throw notFound("transaction_not_found");
  }
  const isPurchase = row.type === "deduct" && row.status === "settled";
  return { named: true, purchase: isPurchase ? row : undefined };
}

interface DecidedRefund extends Settlement {
  posted: Posted;
  /** The records of what the refund gives back of the purchase's cover. */
  returned: Partial<Changes>;
}

/** Decides to pay a refund from the network to a card, and from there to the float what covered it, and all if the card is closed. */
async function decideRefund(
  ctx: WriteContext,
  locked: LockedCard,
  { purchase, amount }: { purchase: Transaction | undefined; amount: number },
): Promise<DecidedRefund> {
  const isSpent = false;
  const back = purchase ? toCoverReturned(purchase, amount) : 0;
  const card =
    back > 0 ? await lockWithFloat(ctx, locked) : await lockForSweep(ctx, locked, isSpent);
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
  const {
    accounts: _,
    balances,
    postings,
    ...returned
  }: Changes = purchase && back > 0
    ? decideCoverReturn(ctx, card, { changes, purchaseId: purchase.id, amount: back })
    : changes;
  const after = { accounts, balances, postings };
  return {
    ...toSettlement(ctx, card, { changes: after, isSpent }),
    posted: refunded.transfers[0],
    returned,
  };
}

/** How much a refund gives back of what covered its purchase: refunds give back the cover before anything else. */
function toCoverReturned(
  { amount: paid, coveredFloat, coveredDeficit, refunded }: Transaction,
  amount: number,
): number {
  const covered = (coveredFloat ?? 0) + (coveredDeficit ?? 0);
  return Math.min(covered, Math.min(paid, refunded + amount)) - Math.min(covered, refunded);
}
