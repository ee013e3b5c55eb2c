import { eq, and } from "drizzle-orm";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
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
import type { EventDraft } from "#lib/record/events.ts";
import {
  decideCoverReturns,
  isSettledPurchase,
  readPurchaseSet,
  toRefundable,
  toRefundedUpdates,
  toSetId,
} from "#lib/purchases/internal/purchase-set.ts";
import type { PurchaseSet } from "#lib/purchases/internal/purchase-set.ts";
import { decideReceipt } from "#lib/purchases/internal/receipt.ts";
import { writeSettlement } from "#lib/purchases/internal/settlement.ts";
import { findTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { cards } from "#db/schema/cards.ts";
import { pipeline } from "#db/pipeline.ts";

/** A requested refund to a card. */
export interface RefundRequest extends PurchaseDescription {
  cardId: string;
  /** What it refunds, as its sender states it. Null if the sender names nothing: we do not guess a purchase. */
  of: RefundedBy | null;
  /** Minor units. Null for everything that is left to refund. */
  amount: number | null;
}

/** One purchase, or all purchases of an authorization. */
export type RefundedBy = { transactionId: string } | { authorizationId: string };

/**
 * Records that the card network has refunded a purchase, in full or in part, whatever its card's state is. What float
 * and deficit covered of the purchase is given back first. A refund to a closed card is swept to the float at once,
 * so that no money is stranded. A refund may exceed what is left to refund, or have no purchase. A refund of an
 * authorization is spread over its purchases.
 * @param require checks the purchases and the amount, under the card's lock; throws to refuse the refund.
 * @returns the new row, of type `deduct-reversal`.
 * @throws DomainError `card_not_found`, `transaction_not_found`, `balance_limit_exceeded`, `clock_advancing`; without
 *   an amount, `refund_exceeds_purchase` when nothing is left to refund.
 */
export async function refund(
  ctx: WriteContext,
  request: RefundRequest,
  require: (purchases: readonly Transaction[], amount: number) => void = () => undefined,
): Promise<Transaction> {
  // The lock first: nothing can change the purchases read after it.
  const [locked, refunded] = await pipeline([
    lockCard(ctx, request.cardId),
    findRefunded(ctx, request),
  ]);
  const { purchases } = refunded.named;
  const left = purchases.reduce((sum, purchase) => sum + toRefundable(purchase), 0);
  const amount = request.amount ?? left;
  if (amount === 0) {
    throw new DomainError("refund_exceeds_purchase", "Nothing is left to refund.");
  }
  require(purchases, amount);
  const returns = await decideCoverReturns(ctx, refunded.named, Math.min(amount, left));
  const { posted, returned, ...settlement } = await decideReceipt(ctx, locked, { amount, returns });
  const { account, accounts } = settlement.card;
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    ...toSettled(posted, 1),
    ...toRefunded(request, purchases),
    refundExceeds: amount > left,
  };
  const { transferId } = posted;
  const { set } = refunded;
  await writeSettlement(
    ctx,
    settlement,
    {
      transactions: [transaction],
      updates: toRefundedUpdates({ ...set, refunds: [...set.refunds, transaction] }),
      events: [toTransactionEvent(ctx, "card.reverse-transaction", { transaction, transferId })],
    },
    returned,
    { events: await toOutstandingEvents(ctx, locked, transaction) },
  );
  return transaction;
}

/** A refund's description: from the request, or if that has none, from the purchase. */
function toRefunded(request: RefundRequest, purchases: readonly Transaction[]) {
  const first = purchases.find(({ takenBack }) => takenBack === 0) ?? purchases[0];
  const { narrative, merchant, of } = request;
  const said = { type: "deduct-reversal" as const, ...toDescribed(request) };
  if (!first) {
    return said;
  }
  return {
    ...said,
    narrative: narrative ?? first.narrative,
    merchant: merchant ?? first.merchant,
    refundOf: first.id,
    authorizationId: of && "authorizationId" in of ? of.authorizationId : null,
  };
}

/** What a refund is for. */
interface Refunded {
  /** The purchases that it names, with only the refunds of these. */
  named: PurchaseSet;
  /** All purchases of their authorization. */
  set: PurchaseSet;
}

const NOTHING: PurchaseSet = { purchases: [], refunds: [] };

async function findRefunded(ctx: WriteContext, { cardId, of }: RefundRequest): Promise<Refunded> {
  if (!of) {
    return { named: NOTHING, set: NOTHING };
  }
  const id = "transactionId" in of ? of.transactionId : of.authorizationId;
  const row = await findTransaction(toReadContext(ctx), id);
  if (row?.cardId !== cardId) {
    throw notFound("transaction_not_found");
  }
  if ("authorizationId" in of) {
    const set = await readPurchaseSet(ctx, id);
    return { named: set, set };
  }
  if (!isSettledPurchase(row)) {
    return { named: NOTHING, set: NOTHING };
  }
  const set = await readPurchaseSet(ctx, toSetId(row));
  return { named: toNamed(set, id), set };
}

function toNamed({ purchases, refunds }: PurchaseSet, id: string): PurchaseSet {
  return {
    purchases: purchases.filter((purchase) => purchase.id === id),
    refunds: refunds.filter(
      ({ authorizationId, refundOf }) => authorizationId === null && refundOf === id,
    ),
  };
}

/**
 * The event if a card that owes cover (an overdraft that the float paid) receives a refund without a purchase. The card
 * keeps the money, because nobody knows what it is for. The integrator may debit it.
 */
async function toOutstandingEvents(
  ctx: WriteContext,
  { account }: LockedCard,
  refunded: Transaction,
): Promise<EventDraft[]> {
  if (refunded.refundOf !== null || account.status === "closed") {
    return [];
  }
  const [card] = await ctx.tx
    .select({ outstanding: cards.coverOutstanding })
    .from(cards)
    .where(and(eq(cards.integratorId, ctx.actor.integratorId), eq(cards.id, account.id)));
  const { id: reference, amount, currency } = refunded;
  return card && card.outstanding > 0
    ? [
        {
          event: "card.cover-outstanding",
          subject: { type: "card", id: account.id },
          actor: ctx.actor.ref,
          requestId: ctx.request.id,
          data: {
            card_id: account.id,
            amount,
            currency,
            reference,
            card_balance_after: refunded.cardBalanceAfter,
            cover_outstanding: card.outstanding,
          },
        },
      ]
    : [];
}
