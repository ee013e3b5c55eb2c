import type { WriteContext } from "#lib/base/context.ts";
import { toReadContext } from "#lib/base/context.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { formatMoney } from "#lib/base/money.ts";
import { lockOpenHold, requireUnexpired } from "#lib/purchases/holds.ts";
import { findMissing } from "#lib/purchases/internal/settlement.ts";
import { toRefundable } from "#lib/purchases/internal/purchase-set.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/**
 * The card network may do all of this, but a test that simulates it is probably wrong. The simulator therefore refuses
 * it unless the test sends `force`.
 */

const INSIST = "To simulate it all the same, send force: true.";

/** How much of an authorization to capture or release. Null for everything still held. Minor units. */
interface Part {
  amount: number | null;
  cardId: string;
}

/**
 * Refuses a capture of an authorization that has ended, or one that its hold and its card cannot pay.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `authorization_captured`, `…_reversed`,
 *   `…_expired`, `…_declined`, `capture_exceeds_authorization` for a frozen card, `insufficient_card_balance`.
 */
export async function requireIntendedCapture(
  ctx: WriteContext,
  id: string,
  { amount: wanted, cardId }: Part,
): Promise<void> {
  const hold = requireUnexpired(await lockOpenHold(ctx, id, cardId));
  const amount = wanted ?? hold.open;
  const release = Math.min(amount, hold.open);
  const { account, integrator } = hold.card;
  const missing = findMissing(account, { amount, release });
  if (missing === 0) {
    return;
  }
  const money = (sum: number) => formatMoney(sum, integrator.currency);
  throw account.status === "active"
    ? new DomainError(
        "insufficient_card_balance",
        `The card has ${money(amount - missing)} available for this capture, including its own hold of ${money(release)}; ${money(amount)} was requested. ${INSIST}`,
      )
    : new DomainError(
        "capture_exceeds_authorization",
        `The card is ${account.status}, so it pays at most the ${money(hold.open)} still held; ${money(amount)} was requested. ${INSIST}`,
      );
}

/**
 * Refuses a reversal of more than an authorization holds.
 * @throws DomainError as `requireIntendedCapture`, and `reversal_exceeds_hold`.
 */
export async function requireIntendedReversal(
  ctx: WriteContext,
  id: string,
  { amount, cardId }: Part,
): Promise<void> {
  const { open, authorization } = requireUnexpired(await lockOpenHold(ctx, id, cardId));
  if ((amount ?? open) > open) {
    const money = (sum: number) => formatMoney(sum, authorization.currency);
    throw new DomainError(
      "reversal_exceeds_hold",
      `${money(open)} is still held; a reversal of ${money(amount ?? open)} was requested. ${INSIST}`,
    );
  }
}

/** The settled purchase that a refund is for, if there is one, and whether the request named a transaction. */
interface Purchased {
  named: boolean;
  purchase: Transaction | undefined;
}

/**
 * Refuses an increment of an authorization that has ended.
 * @throws DomainError as `requireIntendedCapture`.
 */
export async function requireIntendedIncrement(
  ctx: WriteContext,
  id: string,
  { cardId }: Pick<Part, "cardId">,
): Promise<void> {
  requireUnexpired(await lockOpenHold(ctx, id, cardId));
}

/**
 * Refuses to take back a transaction that the card network has not posted, even with `force`: no money could be
 * returned.
 * @throws DomainError `transaction_not_found`, `transaction_not_settled`.
 */
export async function requireIntendedTakeBack(
  ctx: WriteContext,
  id: string,
  { cardId }: Pick<Part, "cardId">,
): Promise<void> {
  const original = await getTransaction(toReadContext(ctx), id);
  if (original.cardId !== cardId) {
    throw notFound("transaction_not_found");
  }
  const isRefund = original.type === "deduct-reversal" && original.takesBack === null;
  if (original.postedAs === null && !isRefund) {
    throw new DomainError(
      "transaction_not_settled",
      "Only a settled purchase or a refund can be taken back. To cancel an open authorization, reverse it.",
    );
  }
}

/**
 * Refuses a refund of more than is left of its purchase, and one without a purchase.
 * @throws DomainError `transaction_not_settled`, `refund_exceeds_purchase`.
 */
export function requireIntendedRefund({ named, purchase }: Purchased, amount: number): void {
  if (named && !purchase) {
    throw new DomainError(
      "transaction_not_settled",
      `Only a settled purchase can be refunded. To cancel an open authorization, reverse it. ${INSIST}`,
    );
  }
  if (!purchase) {
    throw new DomainError(
      "refund_exceeds_purchase",
      `This card has no settled purchase with that much left to refund. ${INSIST}`,
    );
  }
  const left = toRefundable(purchase);
  if (amount > left) {
    const money = (sum: number) => formatMoney(sum, purchase.currency);
    throw new DomainError(
      "refund_exceeds_purchase",
      `${money(left)} of this purchase can still be refunded; ${money(amount)} was requested. ${INSIST}`,
    );
  }
}
