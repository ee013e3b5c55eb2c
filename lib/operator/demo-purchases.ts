import { authorize } from "#lib/purchases/authorizations.ts";
import type { SpendRequest } from "#lib/purchases/authorizations.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { captureAuthorization } from "#lib/purchases/captures.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { reverseAuthorization } from "#lib/purchases/holds.ts";
import { purchase } from "#lib/purchases/purchases.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { SAMPLE_PURCHASES } from "#lib/transactions/sample-purchases.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";

/** More than any demo card's balance. */
const EXCESSIVE_AMOUNT = 250_000;

/** How each card's last purchase ends, in rotation. */
const ENDINGS: readonly ((ctx: WriteContext, request: SpendRequest) => Promise<unknown>)[] = [
  // Left on hold, for example a deposit.
  holdFor,
  async (ctx, request) => {
    const id = await holdFor(ctx, request);
    const amount = Math.ceil(request.amount / 2);
    await captureAuthorization(ctx, id, { amount, final: false, tolerancePercent: 0 });
  },
  async (ctx, request) => reverseAuthorization(ctx, await holdFor(ctx, request), { amount: null }),
  async (ctx, request) => {
    const { transaction } = await purchase(ctx, request);
    const { cardId } = request;
    const target = { cardId, transactionId: transaction.id, narrative: null, merchant: null };
    await refund(ctx, { ...target, amount: Math.floor(request.amount / 3) });
  },
  (ctx, request) => purchase(ctx, { ...request, amount: EXCESSIVE_AMOUNT }),
];

/**
 * Makes a cardholder's purchases: one that is authorized and captured, one that is paid immediately, and one
 * whose ending varies by card. A single-use card is used once.
 */
export async function makePurchases(ctx: WriteContext, card: Card, index: number): Promise<void> {
  if (card.singleUse) {
    await purchase(ctx, toRequest(card.id, index));
    return;
  }
  const id = await holdFor(ctx, toRequest(card.id, index));
  await captureAuthorization(ctx, id, { amount: null, final: true, tolerancePercent: 0 });
  await purchase(ctx, toRequest(card.id, index + 4));
  await ENDINGS[index % ENDINGS.length]?.(ctx, toRequest(card.id, index + 7));
}

/** Attempts a purchase that the card declines, because it is frozen or closed by now. */
export async function makeDeclinedPurchase(
  ctx: WriteContext,
  { id }: Card,
  index: number,
): Promise<void> {
  await purchase(ctx, toRequest(id, index * 3));
}

async function holdFor(ctx: WriteContext, spend: SpendRequest): Promise<string> {
  const { tx, ...caller } = ctx;
  const { transaction } = await performOne(tx, authorize, {
    ...spend,
    ...caller,
    expiresInS: HOLD_LIFE_S,
  });
  return transaction.id;
}

function toRequest(cardId: string, index: number): SpendRequest {
  const sample = SAMPLE_PURCHASES[index % SAMPLE_PURCHASES.length];
  if (!sample) {
    throw new Error("There are no sample purchases.");
  }
  return { cardId, currency: null, ...sample };
}
