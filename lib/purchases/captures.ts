import {
  insertTransaction,
  toRowOrigin,
  toSettled,
  toOpenHold,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordEvents } from "#lib/record/events.ts";
import { lockOpenHold, requireUnexpired, updateHold } from "#lib/purchases/holds.ts";
import type { OpenHold } from "#lib/purchases/holds.ts";
import type { Posted } from "#lib/ledger/post.ts";
import { formatMoney } from "#lib/base/money.ts";
import { pay } from "#lib/purchases/settlement.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** What to capture of an authorization. */
export interface CaptureRequest {
  /** Minor units; null: all that is held still. */
  amount: number | null;
  /** Nothing more will be captured: what is left of the hold is let go of. */
  final: boolean;
  /** How far above what was authorized a capture may go, in percent of it; not applied while the card is frozen. */
  tolerancePercent: number;
  /** The only card it may be of, where the caller named one. */
  cardId?: string;
}

/**
 * Turns what an authorization holds, or a part of it, into a purchase. The first capture settles the authorization's own
 * row; each further one is a row of its own. Frozen and expired cards pay too: the purchase was approved before. A frozen
 * card pays no more than is held: the tolerance is zero while the card is frozen.
 * @returns the row that settled.
 * @throws DomainError `authorization_not_found`, `authorization_captured`, `…_reversed`, `…_expired`, `…_declined`,
 *   `capture_exceeds_authorization`, `insufficient_card_balance`, `books_unbalanced`.
 */
export async function captureAuthorization(
  ctx: WriteContext,
  id: string,
  request: CaptureRequest,
): Promise<Transaction> {
  const hold = requireUnexpired(await lockOpenHold(ctx, id, request.cardId));
  const amount = request.amount ?? hold.open;
  requireTolerable(hold, amount, request.tolerancePercent);
  const captured = Math.min(amount, hold.open);
  const released = request.final ? hold.open - captured : 0;
  const { posted, finish } = await pay(ctx, hold.card, { amount, release: captured + released });
  const { transaction, authorization } = await write(ctx, hold, { posted, captured, released });
  await recordEvents(ctx.tx, hold.card.tenant, [
    toTransactionEvent(ctx, "card.transaction", {
      transaction,
      transferId: posted.transferId,
      holdRemaining: toOpenHold(authorization),
    }),
  ]);
  await finish();
  return transaction;
}

/**
 * The tolerance is for the merchant's tip or fuel, on a card that may pay. A frozen card loses nothing that was not
 * approved before the freeze: its status is read from the locked row, so a freeze that has answered always counts.
 */
function requireTolerable(hold: OpenHold, amount: number, tolerancePercent: number): void {
  const { holdAmount, holdReleased, currency } = hold.authorization;
  const isFrozen = hold.card.account.status === "frozen";
  const authorized = (holdAmount ?? 0) - (holdReleased ?? 0);
  const tolerated = isFrozen ? 0 : Math.floor((authorized * tolerancePercent) / 100);
  const limit = hold.open + tolerated;
  if (amount <= limit) {
    return;
  }
  const money = (sum: number) => `${formatMoney(sum, currency)} (${sum})`;
  const allowed = isFrozen
    ? `The card is frozen, so at most the ${money(limit)} still held can be captured`
    : `At most ${money(limit)} can be captured: ${money(hold.open)} is still held, and ${tolerancePercent} % of the authorized amount is tolerated above it`;
  throw new DomainError(
    "capture_exceeds_authorization",
    `${allowed}; ${money(amount)} was requested.`,
  );
}

async function write(
  ctx: WriteContext,
  { card, authorization }: OpenHold,
  capture: { posted: Posted; captured: number; released: number },
): Promise<{ transaction: Transaction; authorization: Transaction }> {
  const settled = toSettled(capture.posted, -1);
  const isFirst = authorization.status === "authorized";
  const changed = await updateHold(ctx, authorization, {
    holdCaptured: (authorization.holdCaptured ?? 0) + capture.captured,
    holdReleased: (authorization.holdReleased ?? 0) + capture.released,
    ...(isFirst ? settled : {}),
  });
  if (isFirst) {
    return { transaction: changed, authorization: changed };
  }
  const transaction = await insertTransaction(ctx.tx, {
    ...toRowOrigin(ctx, card.account, card.accounts),
    ...settled,
    type: "deduct",
    narrative: authorization.narrative,
    merchant: authorization.merchant,
    authorizationId: authorization.id,
    createdAt: capture.posted.postedAt,
  });
  return { transaction, authorization: changed };
}
