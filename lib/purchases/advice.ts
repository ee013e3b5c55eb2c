import { and, eq, isNotNull, sql } from "drizzle-orm";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import {
  findCardDecline,
  toDecisionEvent,
  toRequestedType,
} from "#lib/purchases/authorizations.ts";
import type { Authorized, SpendRequest } from "#lib/purchases/authorizations.ts";
import { toCountedNow, withCardUses } from "#lib/purchases/internal/controlled.ts";
import { lockCurrentHold } from "#lib/purchases/holds.ts";
import { writeHeld } from "#lib/purchases/internal/held.ts";
import type { Hold } from "#lib/purchases/holds.ts";
import { grow, growsHold } from "#lib/purchases/increments.ts";
import {
  findEarlyMessages,
  isReversedBefore,
  toApproved,
  toCaptureUpdates,
  toEarly,
  toUsed,
} from "#lib/purchases/internal/early-messages.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { hasPassed, toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { DomainError } from "#lib/base/errors.ts";
import {
  EMPTY_TRANSACTION,
  toDescribed,
  toRowOrigin,
  unchangedBalances,
} from "#lib/transactions/card-transaction-records.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import { transactions } from "#db/schema/transactions.ts";

/** An authorization that the card network reports to have approved on our behalf. Amounts in minor units. */
export interface AdviceRequest extends SpendRequest {
  /** Seconds until a hold expires, by the integrator's clock. */
  expiresInS: number;
  /** The network's reference for the authorization. The caller must have claimed it. Null in a simulation. */
  reference: string | null;
  /** The authorization with this reference; null if it has not arrived. */
  authorizationId: string | null;
}

/** `isOwn`: whether the advice got a new authorization. False if we had approved the authorization too. */
export interface Advised extends Authorized {
  isOwn: boolean;
}

/**
 * Records that the card network has approved an authorization on our behalf. If we had approved it too, its hold
 * grows, at most to the network's amount. If we declined it, or it has not arrived, a new authorization is recorded
 * with the decline that our rules would have given. An active card holds as much of the amount as it has available;
 * any other card holds nothing.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `currency_mismatch`, `clock_advancing`.
 */
export async function recordAdvice(ctx: WriteContext, advice: AdviceRequest): Promise<Advised> {
  const { authorizationId, cardId } = advice;
  const hold =
    authorizationId === null ? null : await lockCurrentHold(ctx, authorizationId, cardId);
  const card = await withCardUses(ctx, hold?.card ?? (await lockCard(ctx, cardId)));
  const { currency } = card.account;
  if (advice.currency !== null && advice.currency !== currency) {
    throw new DomainError("currency_mismatch", `The card is in ${currency}.`);
  }
  return hold && hold.authorization.status !== "declined"
    ? growToAdvised(ctx, hold, advice)
    : authorizeAsAdvised(ctx, card, advice);
}

async function growToAdvised(
  ctx: WriteContext,
  hold: Hold,
  { authorizationId, amount, occurredAt = null }: AdviceRequest,
): Promise<Advised> {
  const { card, authorization } = hold;
  const available = card.account.balance - card.account.held;
  const isOpen = authorization.id === authorizationId && growsHold(hold);
  const by = isOpen ? toHeld(card, amount - (authorization.holdAmount ?? 0)) : 0;
  const transaction = by > 0 ? await grow(ctx, hold, { amount: by, occurredAt }) : authorization;
  return { transaction, available: available - by, isOwn: false };
}

/** How much of an amount a card can hold: up to its available balance if it is active, otherwise nothing. */
function toHeld({ account, accounts, integrator }: LockedCard, amount: number): number {
  const isActive =
    account.status === "active" && !hasPassed(integrator, account.expiresAt, accounts.at);
  return isActive ? Math.max(0, Math.min(amount, account.balance - account.held)) : 0;
}

async function authorizeAsAdvised(
  ctx: WriteContext,
  card: LockedCard,
  advice: AdviceRequest,
): Promise<Advised> {
  const { integrator, account, accounts } = card;
  const references = advice.reference === null ? [] : [advice.reference];
  const early = toEarly(await findEarlyMessages(ctx.tx, references), advice);
  const posted = await sumCaptures(ctx, advice.authorizationId);
  const used = toUsed(early, advice.amount);
  const asked = Math.max(0, advice.amount - used - posted);
  const reversedBefore = posted === 0 && isReversedBefore(early, advice.amount);
  const decline = findCardDecline(
    integrator,
    { account, funds: account, at: accounts.at },
    { amount: asked, currency: advice.currency, merchant: advice.merchant, reversedBefore },
  );
  const held = toHeld(card, asked);
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    ...unchangedBalances(account.balance),
    type: toRequestedType(advice),
    ...toDescribed(advice),
    approvedBy: "network",
    overruledDecline: decline?.reason ?? null,
    ...toAdvised(advice, {
      approved: used + held,
      early,
      since: toDeadlineTime(integrator, early.since ?? accounts.at),
    }),
    ...(reversedBefore ? { status: "reversed" } : {}),
    ...toCountedNow(card, held),
  };
  await writeHeld(ctx, card, {
    by: toOpenHold(transaction),
    transactions: [transaction],
    updates: toCaptureUpdates(early.captureIds, transaction.id),
    events: [toDecisionEvent(ctx, transaction)],
  });
  return { transaction, available: account.balance - account.held - held, isOwn: true };
}

/** The sum of a declined authorization's captures, in minor units: the network approved them, too. */
async function sumCaptures({ tx, actor }: WriteContext, id: string | null): Promise<number> {
  if (id === null) {
    return 0;
  }
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${transactions.amount}), 0)`.mapWith(Number) })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, actor.integratorId),
        eq(transactions.authorizationId, id),
        isNotNull(transactions.postedAs),
      ),
    );
  return row?.sum ?? 0;
}

/**
 * The columns of an advised authorization. If nothing can be held, it counts as captured: its captures are still to
 * come.
 */
function toAdvised(advice: AdviceRequest, approval: Parameters<typeof toApproved>[1]) {
  const { amount } = advice;
  return amount > 0 && approval.approved === 0
    ? ({ status: "captured", amount } as const)
    : toApproved(advice, approval);
}
