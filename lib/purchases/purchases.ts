import { findCardDecline, toDecisionEvent } from "#lib/purchases/authorizations.ts";
import type { Authorized, SpendRequest } from "#lib/purchases/authorizations.ts";
import { lockCard } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import {
  insertTransaction,
  toDeclined,
  toRowOrigin,
  toSettled,
  unchangedBalances,
  toTransactionEvent,
} from "#lib/transactions/card-transaction-records.ts";
import type { WriteContext } from "#lib/base/context.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import { recordEvents } from "#lib/record/events.ts";
import { pay } from "#lib/purchases/settlement.ts";

/**
 * A purchase that is authorized and captured at once: it is paid immediately, or declined by the same rules as an
 * authorization.
 * @throws DomainError `card_not_found`, `books_unbalanced`.
 */
export async function purchase(ctx: WriteContext, request: SpendRequest): Promise<Authorized> {
  const card = await lockCard(ctx, request.cardId);
  const { integrator, account } = card;
  const decline = findCardDecline(integrator, { account, funds: account }, request);
  return decline
    ? recordDecline(ctx, card, { request, decline })
    : recordPayment(ctx, card, request);
}

async function recordDecline(
  ctx: WriteContext,
  { integrator, account, accounts }: LockedCard,
  { request, decline }: { request: SpendRequest; decline: Decline },
): Promise<Authorized> {
  const transaction = await insertTransaction(ctx.tx, {
    ...toPurchaseRow(ctx, { account, accounts }, request),
    ...unchangedBalances(account.balance),
    ...toDeclined(decline),
    amount: request.amount,
  });
  await recordEvents(ctx.tx, integrator, [toDecisionEvent(ctx, transaction)]);
  return { transaction, available: account.balance - account.held };
}

async function recordPayment(
  ctx: WriteContext,
  card: LockedCard,
  request: SpendRequest,
): Promise<Authorized> {
  const { integrator, account } = card;
  const { posted, finish } = await pay(ctx, card, { amount: request.amount, release: 0 });
  const transaction = await insertTransaction(ctx.tx, {
    ...toPurchaseRow(ctx, card, request),
    ...toSettled(posted, -1),
    createdAt: posted.postedAt,
  });
  await recordEvents(ctx.tx, integrator, [
    toTransactionEvent(ctx, "card.transaction", { transaction, transferId: posted.transferId }),
  ]);
  await finish();
  return { transaction, available: transaction.cardBalanceAfter - account.held };
}

function toPurchaseRow(
  ctx: WriteContext,
  { account, accounts }: Pick<LockedCard, "account" | "accounts">,
  request: SpendRequest,
) {
  return {
    ...toRowOrigin(ctx, account, accounts),
    type: "deduct",
    narrative: request.narrative,
    merchant: request.merchant,
  } as const;
}
