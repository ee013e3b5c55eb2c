import { authorize } from "#lib/purchases/authorizations.ts";
import type { SpendRequest } from "#lib/purchases/authorizations.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { captureAuthorization } from "#lib/purchases/captures.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { reverseAuthorization } from "#lib/purchases/holds.ts";
import { purchase } from "#lib/purchases/purchases.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";

/** What the demo's cardholders buy: the merchant, the narrative it sends, and the amount in minor units. */
const SHOPS = [
  ["Harbour Coffee", "5814", "Bristol", "GB", "HARBOUR COFFEE BRISTOL GBR", 450],
  ["City Line Trains", "4112", "London", "GB", "CITYLINE*TKT 7741 WEB", 3_280],
  ["Green Basket", "5411", "Bristol", "GB", "GREEN BASKET 0219", 2_345],
  ["Kiosk am Markt", "5994", "München", "DE", "KIOSK AM MARKT MÜNCHEN", 620],
  ["Paper & Ink", "5943", "Bath", "GB", "PAPER & INK LTD ORDER 5521", 1_899],
  ["喫茶さくら", "5812", "京都", "JP", "喫茶さくら 京都店 ☕️", 980],
  ["Ferry Direct", "4411", "Dover", "GB", "FERRYDIRECT DOVER-CALAIS", 4_150],
  ["Cloud Desk", "5734", "Dublin", "IE", "CLOUDDESK.EXAMPLE SUBSCR", 1_200],
  ["Кафе «Ёлка»", "5812", "Рига", "LV", "КАФЕ ЁЛКА РИГА", 1_040],
  ["Quay Hotel", "7011", "Porto", "PT", "QUAY HOTEL PORTO DEPOSIT", 5_200],
  ["Night Pharmacy", "5912", "Bristol", "GB", "NIGHT PHARMACY 24H", 875],
] as const;

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
  const [name, mcc, city, country, narrative, amount] = SHOPS[index % SHOPS.length] ?? SHOPS[0];
  return { cardId, amount, currency: null, narrative, merchant: { name, mcc, city, country } };
}
