import {
  findCardDecline,
  toDecisionEvent,
  toRequestedType,
} from "#lib/purchases/authorizations.ts";
import type { Authorized, SpendRequest } from "#lib/purchases/authorizations.ts";
import { toCountedNow, withCardUses } from "#lib/purchases/internal/controlled.ts";
import { toPurchaseEvent, toPurchaseRow } from "#lib/purchases/captures.ts";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { toStatusEvents } from "#lib/cards/status-records.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import {
  EMPTY_TRANSACTION,
  toDeclined,
  toDescribed,
  toRowOrigin,
  unchangedBalances,
} from "#lib/transactions/card-transaction-records.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { requireSandboxOf } from "#lib/base/sandbox.ts";
import { toForcedDecline } from "#lib/transactions/decline-rules.ts";
import type { Decline, DeclineReason } from "#lib/transactions/decline-rules.ts";
import { findAutoFreezes } from "#lib/purchases/internal/auto-freezes.ts";
import { decidePayment, writeSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/**
 * Authorizes and captures a purchase at once: pays it immediately, or declines it by the same rules as an
 * authorization.
 * @throws DomainError `card_not_found`, `clock_advancing`.
 */
export async function purchase(ctx: WriteContext, request: SpendRequest): Promise<Authorized> {
  const card = await withCardUses(ctx, await lockCard(ctx, request.cardId));
  const { integrator, account, accounts } = card;
  const decline = findCardDecline(
    integrator,
    { account, funds: account, at: accounts.at },
    request,
  );
  const transaction = decline
    ? await recordDecline(ctx, card, { request, decline })
    : await recordPayment(ctx, card, request);
  return { transaction, available: transaction.cardBalanceAfter - account.held };
}

/**
 * Declines a purchase or a verification in the sandbox for the caller's reason, whatever the card's rules. Records it
 * like any other decline.
 * @throws DomainError `sandbox_only`, `card_not_found`, `clock_advancing`.
 */
export async function forceDecline(
  ctx: WriteContext,
  request: SpendRequest,
  reason: DeclineReason,
): Promise<Transaction> {
  const card = await lockCard(ctx, request.cardId);
  requireSandboxOf(card.integrator);
  return recordDecline(ctx, card, { request, decline: toForcedDecline(reason) });
}

/**
 * Records a decline of a purchase, or of an increment of an authorization. If the decline completes the count of the
 * account's rule, freezes the card.
 */
export async function recordDecline(
  ctx: WriteContext,
  card: LockedCard,
  {
    request,
    decline,
    authorizationId = null,
    incrementOf = null,
  }: {
    request: SpendRequest;
    decline: Decline;
    authorizationId?: string | null;
    incrementOf?: string | null;
  },
): Promise<TransactionRow> {
  const transaction = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, card.account, card.accounts),
    ...unchangedBalances(card.account.balance),
    ...toDeclined(decline, card.account.held),
    amount: request.amount,
    type: toRequestedType(request),
    ...toDescribed(request),
    authorizationId,
    incrementOf,
  } satisfies TransactionRow;
  const decided = { ...transaction, request: ctx.request };
  const freezes = [...(await findAutoFreezes(ctx.tx, card, [decided])).values()];
  await writeChanges(ctx.tx, card.integrator, {
    ...unchangedAccounts(card.accounts),
    transactions: [transaction],
    events: [toDecisionEvent(ctx, transaction), ...freezes.flatMap(toStatusEvents)],
    freezes,
  });
  return transaction;
}

async function recordPayment(
  ctx: WriteContext,
  locked: LockedCard,
  request: SpendRequest,
): Promise<TransactionRow> {
  const payment = await decidePayment(ctx, locked, { amount: request.amount, release: 0 });
  const postedAs = "authorized";
  const counted = toCountedNow(locked, request.amount);
  const transaction = toPurchaseRow(ctx, payment, { ...request, postedAs, counted });
  await writeSettlement(ctx, payment, {
    transactions: [transaction],
    events: [toPurchaseEvent(ctx, payment, { transaction })],
  });
  return transaction;
}
