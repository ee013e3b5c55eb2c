import { closeSpentCard } from "#lib/funds/close-card.ts";
import { lockFloatToo } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordSweep, requireSwept, toSweep } from "#lib/funds/sweep.ts";
import { post } from "#lib/ledger/post.ts";
import type { Posted, PostResult } from "#lib/ledger/post.ts";
import { formatMoney } from "#lib/base/money.ts";

/** A purchase to be paid. `release` is what its own authorization lets go of in the same moment. Minor units. */
export interface Payment {
  amount: number;
  release: number;
}

/** A purchase that is paid, and what is still to be done once it is written down. */
export interface Paid {
  posted: Posted;
  /** Ends a single-use card that was spent by it: the rest goes to the float, and the card closes. */
  finish: () => Promise<void>;
}

/**
 * Pays a purchase from a card to the network.
 * @throws DomainError `insufficient_card_balance` when the card has less available than is to be paid,
 *   `balance_limit_exceeded` when the float cannot take the rest of a single-use card.
 */
export async function pay(ctx: WriteContext, card: LockedCard, payment: Payment): Promise<Paid> {
  const isSpent = isSpentBy(card, payment.release);
  const locked = isSpent ? await lockFloatToo(ctx, card) : card;
  const { tenant, account, accounts } = locked;
  const [paid, swept] = await post(ctx.tx, accounts, [
    {
      kind: "card_purchase",
      debitAccountId: account.id,
      creditAccountId: tenant.networkId,
      amount: payment.amount,
      release: payment.release,
      currency: tenant.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
    ...(isSpent ? [toSweep(ctx, tenant, account.id)] : []),
  ]);
  if (!paid?.posted) {
    throw toInsufficient(locked, payment, paid);
  }
  const [posted] = paid.transfers;
  if (!isSpent) {
    return { posted, finish: async () => undefined };
  }
  const rest = requireSwept(tenant, swept);
  return { posted, finish: () => end(ctx, locked, rest) };
}

/**
 * Closes a single-use card whose last hold was let go after a part of it had been captured.
 * @throws DomainError `balance_limit_exceeded` when the float cannot take what is left on it.
 */
export async function endSpentCard(ctx: WriteContext, card: LockedCard): Promise<void> {
  const locked = await lockFloatToo(ctx, card);
  const [swept] = await post(ctx.tx, locked.accounts, [
    toSweep(ctx, locked.tenant, locked.account.id),
  ]);
  await end(ctx, locked, requireSwept(locked.tenant, swept));
}

/** Whether a single-use card holds nothing any more once this much is let go of. */
export function isSpentBy({ account }: LockedCard, release: number): boolean {
  return account.singleUse && account.status !== "closed" && account.held === release;
}

async function end(
  ctx: WriteContext,
  { tenant, account, accounts }: LockedCard,
  swept: readonly Posted[],
): Promise<void> {
  await recordSweep(ctx, { tenant, accounts, cardId: account.id, swept });
  await closeSpentCard(ctx, account.id);
}

function toInsufficient(
  { tenant }: LockedCard,
  { amount, release }: Payment,
  refused: PostResult | undefined,
): DomainError {
  const available = refused?.posted === false ? refused.available : 0;
  const money = (sum: number) => `${formatMoney(sum, tenant.currency)} (${sum})`;
  return new DomainError(
    "insufficient_card_balance",
    `The card has ${money(available)} available for this capture, its own hold of ${release} included; ${money(amount)} was asked for.`,
  );
}
