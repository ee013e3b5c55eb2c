import { and, eq } from "drizzle-orm";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import {
  decideCoverReturns,
  readPurchaseSet,
  toRefundedUpdates,
  toSetId,
} from "#lib/purchases/internal/purchase-set.ts";
import type { PurchaseSet } from "#lib/purchases/internal/purchase-set.ts";
import { decideReceipt } from "#lib/purchases/internal/receipt.ts";
import { decidePayment, toCovered, writeSettlement } from "#lib/purchases/internal/settlement.ts";
import {
  EMPTY_TRANSACTION,
  toRowOrigin,
  toTransactionEvent,
  toSettled,
} from "#lib/transactions/card-transaction-records.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { TransactionUpdate } from "#lib/transactions/write-changes.ts";
import { transactions } from "#db/schema/transactions.ts";
import { pipeline } from "#db/pipeline.ts";

/**
 * Records, as a new row, that the card network has taken back a purchase or a refund, whatever the card's state is. For
 * a purchase, the card receives the money and gives back what still covers it; no hold is restored. For a refund, the
 * card pays, and what it cannot pay is covered like a purchase. A second call changes nothing.
 * @param id the settled purchase's, or the refund's.
 * @returns the row that takes it back.
 * @throws DomainError `transaction_not_found`, `clock_advancing`, `balance_limit_exceeded`.
 */
export async function takeBack(ctx: WriteContext, id: string): Promise<Transaction> {
  const reading = toReadContext(ctx);
  const { cardId } = await getTransaction(reading, id);
  // Reads it again, now that the lock prevents changes.
  const [locked, original] = await pipeline([lockCard(ctx, cardId), getTransaction(reading, id)]);
  if (original.takenBack > 0) {
    return readContra(ctx, id);
  }
  return original.type === "deduct"
    ? takeBackPurchase(ctx, locked, original)
    : takeBackRefund(ctx, locked, original);
}

async function readContra(ctx: WriteContext, id: string): Promise<Transaction> {
  const [contra] = await ctx.tx
    .select()
    .from(transactions)
    .where(
      and(eq(transactions.integratorId, ctx.actor.integratorId), eq(transactions.takesBack, id)),
    );
  if (!contra) {
    throw notFound("transaction_not_found");
  }
  return contra;
}

async function takeBackPurchase(
  ctx: WriteContext,
  locked: LockedCard,
  original: Transaction,
): Promise<Transaction> {
  const { id, amount } = original;
  const set = await readPurchaseSet(ctx, toSetId(original));
  const refunds = set.refunds.filter(({ refundOf }) => refundOf === id);
  const returns = await decideCoverReturns(ctx, { purchases: [original], refunds }, amount);
  const { posted, returned, ...settlement } = await decideReceipt(ctx, locked, { amount, returns });
  const transaction: TransactionRow = {
    ...toContra(ctx, settlement.card, original),
    ...toSettled(posted, 1),
    type: "deduct-reversal",
  };
  const { transferId } = posted;
  const after = { ...set, purchases: set.purchases.map((each) => toTakenBack(each, id)) };
  const records = {
    transactions: [transaction],
    updates: toUpdates(original, after),
    events: [toTransactionEvent(ctx, "card.reverse-transaction", { transaction, transferId })],
  };
  await writeSettlement(ctx, settlement, records, returned);
  return transaction;
}

async function takeBackRefund(
  ctx: WriteContext,
  locked: LockedCard,
  original: Transaction,
): Promise<Transaction> {
  const { id, amount, refundOf } = original;
  const purchase = refundOf === null ? null : await getTransaction(toReadContext(ctx), refundOf);
  const set = purchase
    ? await readPurchaseSet(ctx, toSetId(purchase))
    : { purchases: [], refunds: [] };
  const payment = await decidePayment(ctx, locked, { amount, release: 0, isUse: false });
  const transaction: TransactionRow = {
    ...toContra(ctx, payment.card, original),
    ...toSettled(payment.posted, -1),
    ...toCovered(payment.shares),
    type: "deduct",
  };
  const { transferId } = payment.posted;
  const after = { ...set, refunds: set.refunds.map((each) => toTakenBack(each, id)) };
  await writeSettlement(ctx, payment, payment.toRecords(transaction.id), {
    transactions: [transaction],
    updates: toUpdates(original, after),
    events: [toTransactionEvent(ctx, "card.transaction", { transaction, transferId })],
  });
  return transaction;
}

/** The row that takes back another one, before its money is known. */
function toContra(ctx: WriteContext, { account, accounts }: LockedCard, original: Transaction) {
  const { id: takesBack, narrative, merchant } = original;
  return {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    narrative,
    merchant,
    takesBack,
  };
}

function toTakenBack<Row extends Pick<Transaction, "id" | "amount" | "takenBack">>(
  row: Row,
  id: string,
): Row {
  return row.id === id ? { ...row, takenBack: row.amount } : row;
}

function toUpdates({ id, amount }: Transaction, after: PurchaseSet): TransactionUpdate[] {
  return [{ id, set: { takenBack: amount } }, ...toRefundedUpdates(after)];
}
