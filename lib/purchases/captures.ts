import {
  EMPTY_TRANSACTION,
  toDescribed,
  toRowOrigin,
  toSettled,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import type {
  PurchaseDescription,
  TransactionRow,
} from "#lib/transactions/card-transaction-records.ts";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { countLess, countMore, toCounted } from "#lib/transactions/counted.ts";
import type { CountedColumns, Recount } from "#lib/transactions/counted.ts";
import { toCountedNow } from "#lib/purchases/internal/controlled.ts";
import { lockCurrentHold, toEndedRefusal } from "#lib/purchases/holds.ts";
import type { Hold } from "#lib/purchases/holds.ts";
import { toCleared } from "#lib/purchases/internal/clearing.ts";
import { findPostedAs } from "#lib/purchases/posted-as.ts";
import { decidePayment, toCovered, writeSettlement } from "#lib/purchases/internal/settlement.ts";
import type { PaymentSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { PostedAs } from "#db/schema/posted-as.ts";

/** How much of an authorization to capture, and how. */
export interface CaptureRequest {
  /** Minor units. Null for everything still held. */
  amount: number | null;
  /** No further captures follow: the rest of the hold is released. */
  final: boolean;
  /** The card that the authorization must belong to. Naming it saves a read. */
  cardId?: string;
  /** How the clearing describes the purchase. */
  described?: PurchaseDescription;
}

/** A purchase that the card network has posted without a known authorization. */
export interface PostingRequest extends PurchaseDescription {
  cardId: string;
  /** Minor units. */
  amount: number;
  /** `awaited`: the network named one, which has not arrived. */
  authorization?: "awaited";
}

/**
 * Records that the card network has captured an authorization, in whole or in part, whatever the state of the
 * authorization and its card. The first capture of an open authorization settles the authorization's row; every other
 * capture adds a row. An ended authorization and a verification keep their status. What the hold and the card cannot
 * pay is covered.
 * @returns the row that settled.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `clock_advancing`; without an amount,
 *   `authorization_captured`, `…_reversed`, `…_expired`, or `…_declined` for an authorization that holds nothing.
 */
export async function captureAuthorization(
  ctx: WriteContext,
  id: string,
  request: CaptureRequest,
): Promise<Transaction> {
  const hold = await lockCurrentHold(ctx, id, request.cardId);
  if (request.amount === null && hold.open === 0) {
    throw toEndedRefusal(hold.authorization);
  }
  const amount = request.amount ?? hold.open;
  const captured = Math.min(amount, hold.open);
  const released = request.final ? hold.open - captured : 0;
  const payment = await decidePayment(ctx, hold.card, { amount, release: captured + released });
  const postedAs = findPostedAs({ ...hold, amount, status: hold.card.account.status });
  const cleared = toCleared(hold.authorization, request.described);
  const decided = { payment, postedAs, captured, released, beyond: amount - captured, cleared };
  const { transaction, records } = decideRecords(ctx, hold, decided);
  await writeSettlement(ctx, payment, payment.toRecords(transaction.id), records);
  return transaction;
}

/**
 * Records a purchase that the card network has posted without a known authorization. If the authorization arrives
 * later, it asks only for what it adds to this purchase.
 * @throws DomainError `card_not_found`, `clock_advancing`.
 */
export async function postPurchase(
  ctx: WriteContext,
  { cardId, amount, authorization, ...described }: PostingRequest,
): Promise<Transaction> {
  const locked = await lockCard(ctx, cardId);
  const payment = await decidePayment(ctx, locked, { amount, release: 0 });
  const postedAs = findPostedAs({
    amount,
    authorization: authorization ?? null,
    open: 0,
    expired: false,
    status: locked.account.status,
  });
  const counted = toCountedNow(locked, amount);
  const transaction = toPurchaseRow(ctx, payment, { ...described, postedAs, counted });
  await writeSettlement(ctx, payment, payment.toRecords(transaction.id), {
    transactions: [transaction],
    events: [toPurchaseEvent(ctx, payment, { transaction })],
  });
  return transaction;
}

/** A settled purchase as a row of its own. */
export function toPurchaseRow(
  ctx: WriteContext,
  { card, posted, shares }: PaymentSettlement,
  {
    postedAs,
    counted,
    authorizationId = null,
    authorizedAs = null,
    ...described
  }: PurchaseDescription & {
    postedAs: PostedAs;
    counted: CountedColumns;
    authorizationId?: string | null;
    authorizedAs?: Transaction["authorizedAs"];
  },
): TransactionRow {
  return {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, card.account, card.accounts),
    ...toSettled(posted, -1),
    ...toCovered(shares),
    ...toDescribed(described),
    ...counted,
    type: "deduct",
    postedAs,
    authorizationId,
    authorizedAs,
  };
}

/** The event of a settled purchase. */
export function toPurchaseEvent(
  ctx: WriteContext,
  { posted: { transferId } }: PaymentSettlement,
  happened: { transaction: Transaction; holdRemaining?: number },
) {
  return toTransactionEvent(ctx, "card.transaction", { transferId, ...happened });
}

interface Capture {
  payment: PaymentSettlement;
  postedAs: PostedAs;
  captured: number;
  released: number;
  /** What the authorization did not hold. */
  beyond: number;
  cleared: ReturnType<typeof toCleared>;
}

/** The settled row, and what to write: a first capture changes the authorization's row, a further one adds a row. */
function decideRecords(ctx: WriteContext, { authorization, open }: Hold, capture: Capture) {
  const { payment, postedAs, captured, released, cleared } = capture;
  const isFirst = authorization.status === "authorized" && open > 0;
  const set = {
    holdCaptured: (authorization.holdCaptured ?? 0) + captured,
    holdReleased: (authorization.holdReleased ?? 0) + released,
    ...(isFirst
      ? {
          ...toSettled(payment.posted, -1),
          ...toCovered(payment.shares),
          ...cleared.first,
          postedAs,
        }
      : {}),
  };
  const { recount, counted } = toCounts(authorization, capture, isFirst);
  const updates = open > 0 ? [{ id: authorization.id, set, recount }] : [];
  const changed: Transaction =
    open > 0 ? { ...authorization, ...set, ...recount.to } : authorization;
  const described = { ...cleared.further, postedAs, counted, authorizationId: authorization.id };
  const further = toPurchaseRow(ctx, payment, described);
  const transaction = isFirst ? changed : further;
  const holdRemaining = toOpenHold(changed);
  const events = [toPurchaseEvent(ctx, payment, { transaction, holdRemaining })];
  return {
    transaction,
    records: { updates, transactions: isFirst ? [] : [further], events },
  };
}

/** What the authorization counts after this capture, and what a further row counts: the amount beyond the hold. */
function toCounts(
  authorization: Transaction,
  { payment, released, beyond }: Capture,
  isFirst: boolean,
): { recount: Recount; counted: CountedColumns } {
  const { integrator, accounts } = payment.card;
  const now = toDeadlineTime(integrator, accounts.at);
  return {
    // A capture of more than the hold leaves nothing to release.
    recount:
      isFirst && beyond > 0
        ? countMore(authorization, beyond, now)
        : countLess(authorization, released),
    counted: toCounted(beyond, now),
  };
}
