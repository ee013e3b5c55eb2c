import { closeSpentCard } from "#lib/funds/close-card.ts";
import { lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordSweep, requireSwept, toSweep } from "#lib/funds/sweep.ts";
import { post } from "#lib/ledger/post.ts";
import type { Posted, PostResult } from "#lib/ledger/post.ts";
import { formatMoney } from "#lib/base/money.ts";

/** A purchase to pay. `release` is how much of its own authorization's hold is released with it. Minor units. */
export interface Payment {
  amount: number;
  release: number;
}

/** A paid purchase, and what remains to be done once it is recorded. */
export interface Paid {
  posted: Posted;
  /** Closes a single-use card that this purchase has spent: sweeps the rest to the float and closes the card. */
  finish: () => Promise<void>;
}

/**
 * Pays a purchase from a card to the network.
 * @throws DomainError `insufficient_card_balance` when the card has less available than the purchase,
 *   `balance_limit_exceeded` when the float cannot receive the rest of a single-use card.
 */
export async function pay(ctx: WriteContext, card: LockedCard, payment: Payment): Promise<Paid> {
  const isSpent = isSpentBy(card, payment.release);
  const locked = isSpent ? await lockWithFloat(ctx, card) : card;
  const { integrator, account, accounts } = locked;
  const [paid, swept] = await post(ctx.tx, accounts, [
    {
      kind: "card_purchase",
      debitAccountId: account.id,
      creditAccountId: integrator.networkId,
      amount: payment.amount,
      release: payment.release,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
    ...(isSpent ? [toSweep(ctx, integrator, account.id)] : []),
  ]);
  if (!paid?.posted) {
    throw toInsufficient(locked, payment, paid);
  }
  const [posted] = paid.transfers;
  if (!isSpent) {
    return { posted, finish: async () => undefined };
  }
  const rest = requireSwept(integrator, swept);
  return { posted, finish: () => end(ctx, locked, rest) };
}

/**
 * Closes a single-use card whose last hold was released after a partial capture.
 * @throws DomainError `balance_limit_exceeded` when the float cannot receive the rest.
 */
export async function endSpentCard(ctx: WriteContext, card: LockedCard): Promise<void> {
  const locked = await lockWithFloat(ctx, card);
  const [swept] = await post(ctx.tx, locked.accounts, [
    toSweep(ctx, locked.integrator, locked.account.id),
  ]);
  await end(ctx, locked, requireSwept(locked.integrator, swept));
}

/** Whether a single-use card holds nothing anymore after this release. */
export function isSpentBy({ account }: LockedCard, release: number): boolean {
  return account.singleUse && account.status !== "closed" && account.held === release;
}

async function end(
  ctx: WriteContext,
  { integrator, account, accounts }: LockedCard,
  swept: readonly Posted[],
): Promise<void> {
  await recordSweep(ctx, { integrator, accounts, cardId: account.id, swept });
  await closeSpentCard(ctx, account.id);
}

function toInsufficient(
  { integrator }: LockedCard,
  { amount, release }: Payment,
  refused: PostResult | undefined,
): DomainError {
  const available = refused?.posted === false ? refused.available : 0;
  const money = (sum: number) => formatMoney(sum, integrator.currency);
  return new DomainError(
    "insufficient_card_balance",
    `The card has ${money(available)} available for this capture, including its own hold of ${money(release)}; ${money(amount)} was requested.`,
  );
}
