import {
  EMPTY_TRANSACTION,
  toRowOrigin,
  toSettled,
  toOpenHold,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { Posted } from "#lib/ledger/decide.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { lockOpenHold, requireUnexpired } from "#lib/purchases/holds.ts";
import type { Hold } from "#lib/purchases/holds.ts";
import { formatMoney } from "#lib/base/money.ts";
import { decidePayment, writeSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** How much of an authorization to capture, and how. */
export interface CaptureRequest {
  /** Minor units. Null for everything still held. */
  amount: number | null;
  /** No further captures follow: the rest of the hold is released. */
  final: boolean;
  /** How far a capture may exceed the authorized amount, in percent of it. Does not apply while the card is frozen. */
  tolerancePercent: number;
  /** The card that the authorization must belong to, if the caller named one. */
  cardId?: string;
}

/**
 * Turns what an authorization holds, or part of it, into a purchase. The first capture settles the authorization's own
 * row; each further capture gets its own row. Frozen and expired cards pay too, because the purchase was approved before.
 * A frozen card never pays more than is held: its tolerance is zero.
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
  requireWithinTolerance(hold, amount, request.tolerancePercent);
  const captured = Math.min(amount, hold.open);
  const released = request.final ? hold.open - captured : 0;
  const settlement = await decidePayment(ctx, hold.card, { amount, release: captured + released });
  const { transaction, records } = decideRecords(ctx, hold, { ...settlement, captured, released });
  await writeSettlement(ctx, settlement, records);
  return transaction;
}

/**
 * The tolerance covers a tip or a fuel purchase on a card that may pay. A frozen card never loses more than was approved
 * before the freeze. Its status comes from the locked row, so every acknowledged freeze takes effect.
 */
function requireWithinTolerance(hold: Hold, amount: number, tolerancePercent: number): void {
  const { holdAmount, holdReleased, currency } = hold.authorization;
  const isFrozen = hold.card.account.status === "frozen";
  const authorized = (holdAmount ?? 0) - (holdReleased ?? 0);
  const tolerated = isFrozen ? 0 : Math.floor((authorized * tolerancePercent) / 100);
  const limit = hold.open + tolerated;
  if (amount <= limit) {
    return;
  }
  const money = (sum: number) => formatMoney(sum, currency);
  const allowed = isFrozen
    ? `The card is frozen, so at most the ${money(limit)} still held can be captured`
    : `At most ${money(limit)} can be captured: ${money(hold.open)} is still held, plus a tolerance of ${tolerancePercent}% of the authorized amount`;
  throw new DomainError(
    "capture_exceeds_authorization",
    `${allowed}; ${money(amount)} was requested.`,
  );
}

/** The row that settles, and what the capture writes: the first changes the authorization's row, a further one adds its own. */
function decideRecords(
  ctx: WriteContext,
  { authorization }: Hold,
  capture: { card: LockedCard; posted: Posted; captured: number; released: number },
) {
  const { card, posted } = capture;
  const settled = toSettled(posted, -1);
  const isFirst = authorization.status === "authorized";
  const set = {
    holdCaptured: (authorization.holdCaptured ?? 0) + capture.captured,
    holdReleased: (authorization.holdReleased ?? 0) + capture.released,
    ...(isFirst ? settled : {}),
  };
  const changed: Transaction = { ...authorization, ...set };
  const further: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, card.account, card.accounts),
    ...settled,
    type: "deduct",
    narrative: authorization.narrative,
    merchant: authorization.merchant,
    authorizationId: authorization.id,
  };
  const transaction = isFirst ? changed : further;
  const { transferId } = posted;
  const holdRemaining = toOpenHold(changed);
  return {
    transaction,
    records: {
      updates: [{ id: authorization.id, set }],
      transactions: isFirst ? [] : [further],
      events: [
        toTransactionEvent(ctx, "card.transaction", { transaction, transferId, holdRemaining }),
      ],
    },
  };
}
