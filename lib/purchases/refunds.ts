import { and, desc, eq, sql } from "drizzle-orm";
import { isSettledPurchase } from "#lib/transactions/card-purchases.ts";
import { lockCard, lockFloatToo } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import {
  insertTransaction,
  toRowOrigin,
  toSettled,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { Described } from "#lib/transactions/card-transaction-records.ts";
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

/** Money to give back to a card. */
export interface RefundRequest extends Described {
  cardId: string;
  /** The purchase it was paid for; null: the newest one of which that much has not been given back. */
  transactionId: string | null;
  /** Minor units; null: all of that purchase that has not been given back. */
  amount: number | null;
}

/**
 * Gives money of a settled purchase back to its card, frozen and expired ones too. On a closed card it goes on to the
 * float at once, so that no money is stranded.
 * @returns the new row, of type `deduct-reversal`.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `transaction_not_settled`, `refund_exceeds_purchase`,
 *   `balance_limit_exceeded`, `books_unbalanced`.
 */
export async function refund(ctx: WriteContext, request: RefundRequest): Promise<Transaction> {
  const card = await lockCard(ctx, request.cardId);
  const bought = await findPurchase(ctx, request);
  const amount = request.amount ?? toRest(bought);
  if (amount > toRest(bought) || amount === 0) {
    throw toExceeding(bought, amount);
  }
  const { accounts, posted, swept } = await giveBack(ctx, card, amount);
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
  await recordEvents(ctx.tx, card.tenant, [
    toTransactionEvent(ctx, "card.reverse-transaction", {
      transaction,
      transferId: posted.transferId,
    }),
  ]);
  await recordSweep(ctx, { tenant: card.tenant, accounts, cardId: card.account.id, swept });
  return transaction;
}

function toRest({ amount, refunded }: Transaction): number {
  return amount - refunded;
}

async function findPurchase(ctx: WriteContext, request: RefundRequest): Promise<Transaction> {
  return request.transactionId === null
    ? findNewest(ctx, request.cardId, request.amount ?? 1)
    : findNamed(ctx, request.cardId, request.transactionId);
}

async function findNamed(ctx: WriteContext, cardId: string, id: string): Promise<Transaction> {
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
      "Only a settled purchase can be given back. An open authorization is reversed instead.",
    );
  }
  return row;
}

async function findNewest(ctx: WriteContext, cardId: string, amount: number): Promise<Transaction> {
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
      "This card has no settled purchase of which that much has not been given back.",
    );
  }
  return row;
}

async function giveBack(
  ctx: WriteContext,
  card: LockedCard,
  amount: number,
): Promise<{ accounts: LockedAccounts; posted: Posted; swept: readonly Posted[] }> {
  const isClosed = card.account.status === "closed";
  const { tenant, account, accounts } = isClosed ? await lockFloatToo(ctx, card) : card;
  const [given, swept] = await post(ctx.tx, accounts, [
    {
      kind: "card_refund",
      debitAccountId: tenant.networkId,
      creditAccountId: account.id,
      amount,
      currency: tenant.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
    ...(isClosed ? [toSweep(ctx, tenant, account.id)] : []),
  ]);
  if (!given?.posted) {
    throw new DomainError(
      "balance_limit_exceeded",
      "The balance would exceed the largest amount kept.",
    );
  }
  const [posted] = given.transfers;
  return { accounts, posted, swept: isClosed ? requireSwept(tenant, swept) : [] };
}

function toExceeding(bought: Transaction, amount: number): DomainError {
  const money = (sum: number) => `${formatMoney(sum, bought.currency)} (${sum})`;
  return new DomainError(
    "refund_exceeds_purchase",
    amount === 0
      ? "All of this purchase has been given back already."
      : `${money(toRest(bought))} of this purchase has not been given back yet; ${money(amount)} was asked for.`,
  );
}
