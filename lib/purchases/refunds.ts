import { and, desc, eq, sql } from "drizzle-orm";
import { isSettledPurchase } from "#lib/transactions/card-purchases.ts";
import { lockCard, lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import {
  insertTransaction,
  toRowOrigin,
  toSettled,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { recordEvents } from "#lib/record/events.ts";
import { recordSweep, requireSwept, toSweep } from "#lib/funds/sweep.ts";
import { updateHold } from "#lib/purchases/holds.ts";
import { isId } from "#lib/base/ids.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import { post } from "#lib/ledger/post.ts";
import type { Posted } from "#lib/ledger/post.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/cards.ts";

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
  const card = await lockCard(ctx, request.cardId);
  const bought = await findPurchase(ctx, request);
  const amount = request.amount ?? toRefundable(bought);
  if (amount > toRefundable(bought) || amount === 0) {
    throw toExceededRefusal(bought, amount);
  }
  const { accounts, posted, swept } = await postRefund(ctx, card, amount);
  await updateHold(ctx, bought, { refunded: bought.refunded + amount });
  const transaction = await insertTransaction(ctx.tx, {
    ...toRowOrigin(ctx, card.account, card.accounts),
    ...toSettled(posted, 1),
    createdAt: posted.postedAt,
    type: "deduct-reversal",
    narrative: request.narrative ?? bought.narrative,
    merchant: request.merchant ?? bought.merchant,
    refundOf: bought.id,
  });
  await recordEvents(ctx.tx, card.integrator, [
    toTransactionEvent(ctx, "card.reverse-transaction", {
      transaction,
      transferId: posted.transferId,
    }),
  ]);
  await recordSweep(ctx, { integrator: card.integrator, accounts, cardId: card.account.id, swept });
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
  const [row] = isId(id)
    ? await ctx.tx
        .select()
        .from(transactions)
        .where(
          and(
            eq(transactions.integratorId, ctx.actor.integratorId),
            eq(transactions.id, id),
            eq(transactions.cardId, cardId),
          ),
        )
    : [];
  if (!row) {
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
  const [row] = await ctx.tx
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        isSettledPurchase(cardId),
        sql`${transactions.amount} - ${transactions.refunded} >= ${amount}`,
      ),
    )
    .orderBy(desc(transactions.accountVersion))
    .limit(1);
  if (!row) {
    throw new DomainError(
      "refund_exceeds_purchase",
      "This card has no settled purchase with that much left to refund.",
    );
  }
  return row;
}

async function postRefund(
  ctx: WriteContext,
  card: LockedCard,
  amount: number,
): Promise<{ accounts: LockedAccounts; posted: Posted; swept: readonly Posted[] }> {
  const isClosed = card.account.status === "closed";
  const { integrator, account, accounts } = isClosed ? await lockWithFloat(ctx, card) : card;
  const [refunded, swept] = await post(ctx.tx, accounts, [
    {
      kind: "card_refund",
      debitAccountId: integrator.networkId,
      creditAccountId: account.id,
      amount,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
    ...(isClosed ? [toSweep(ctx, integrator, account.id)] : []),
  ]);
  if (!refunded?.posted) {
    throw new DomainError(
      "balance_limit_exceeded",
      "The receiving balance would exceed the maximum.",
    );
  }
  const [posted] = refunded.transfers;
  return { accounts, posted, swept: isClosed ? requireSwept(integrator, swept) : [] };
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
