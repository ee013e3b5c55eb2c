import * as fc from "fast-check";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newOrigin } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { takeBack } from "#lib/purchases/taking-back.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { PastClock, setPastClock } from "#db/past-clock.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";
import { inTransaction } from "#db/transaction.ts";

const HOUR_MS = 3_600_000;
/** How long an account has lived. */
export const LIVED_DAYS = 80;
/** The last one is the first one's cardholder's. */
const CARDS = 3;
const DECLINED_FROM = 300;

/** Names that searches and sums must not confuse, among them what only white space tells apart. */
const NAMES = [
  "Shop",
  "shop",
  "\u00A0Shop\n",
  "Shop $ 7.41",
  "100%_\\",
  "ΟΔΟΣ, Å",
  " ",
  UNNAMED_MERCHANT,
];

const merchant = fc.option(
  fc.record(
    {
      name: fc.constantFrom(...NAMES),
      mcc: fc.constantFrom(null, "5411", "5812", "4111"),
      city: fc.constant(null),
      country: fc.constantFrom(null, "US", "FR", "JP"),
    },
    // The query builder takes objects with a prototype only.
    { noNullPrototype: true },
  ),
  { nil: null },
);

/** What happens to an account. */
export const act = fc.record({
  does: fc.constantFrom("authorize", "capture", "capture", "post", "refund", "stray", "takeBack"),
  card: fc.nat(CARDS - 1),
  /** An index into the authorizations, or into what posted, modulo their number. */
  which: fc.nat(9),
  amount: fc.integer({ min: 1, max: 400 }),
  merchant,
  hoursLater: fc.integer({ min: 0, max: 90 }),
});
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Lives an account's acts in the past, through the functions that the API calls. */
export async function live(
  acts: readonly Act[],
): Promise<{ account: TestIntegrator; cards: Card[] }> {
  const account = await newIntegrator();
  const [first, second] = [await newCard(account), await newCard(account)];
  const cards = [first, second, await newCard(account, 0, { cardholderId: first.cardholderId })];
  const end = new Date();
  await inTransaction(testDatabase().db, async (tx) => {
    const start = new Date(end.getTime() - LIVED_DAYS * 24 * HOUR_MS);
    const clock = new PastClock({ start, end });
    setPastClock(tx, clock);
    const ctx = { tx, actor: account.actor, request: newOrigin() };
    const moves = [
      { kind: "top-up" as const, amount: 10_000 },
      ...cards.map(({ id: cardId }) => ({ kind: "credit" as const, cardId, amount: 3_000 })),
    ];
    for (const move of moves) {
      const caller = { actor: account.actor, request: newOrigin(), idempotencyKey: null };
      await performOne(tx, moveFunds, { ...caller, ...move });
    }
    const known: Known = { cards: cards.map(({ id }) => id), held: [], posted: [] };
    for (const each of acts) {
      clock.moveTo(
        new Date(Math.min(clock.at.getTime() + each.hoursLater * HOUR_MS, end.getTime() - 60_000)),
      );
      await perform(ctx, each, known);
    }
  });
  return { account, cards };
}

interface Known {
  cards: readonly string[];
  held: string[];
  posted: string[];
}

interface Wanted {
  cardId: string;
  amount: number;
  /** The authorization, and what posted, that the act is about. */
  held: string;
  posted: string;
  said: Pick<PurchaseDescription, "narrative" | "merchant">;
}

/** Each act returns what it made: an authorization, or a row that posted. */
const DO: Readonly<Record<Act["does"], (ctx: WriteContext, wanted: Wanted) => Promise<string>>> = {
  authorize: async ({ tx, ...caller }, { cardId, amount, said }) => {
    const terms = { currency: null, expiresInS: HOLD_LIFE_S };
    // Some exceed what any card has.
    const requested = amount > DECLINED_FROM ? amount * 100 : amount;
    const asked = { ...caller, ...said, ...terms, cardId, amount: requested };
    return (await performOne(tx, authorize, asked)).transaction.id;
  },
  capture: async (ctx, { held, amount, said }) =>
    (await captureAuthorization(ctx, held, { amount, final: false, described: said })).id,
  post: async (ctx, { cardId, amount, said }) =>
    (await postPurchase(ctx, { ...said, cardId, amount })).id,
  refund: async (ctx, { cardId, amount, posted, said }) =>
    (await refund(ctx, { ...said, cardId, amount, of: { transactionId: posted } })).id,
  stray: async (ctx, { cardId, amount, said }) =>
    (await refund(ctx, { ...said, cardId, amount, of: null })).id,
  takeBack: async (ctx, { posted }) => (await takeBack(ctx, posted)).id,
};

/** A refused act changes nothing. */
async function perform(ctx: WriteContext, wanted: Act, known: Known): Promise<void> {
  const pick = (ids: readonly string[]) => ids[wanted.which % Math.max(1, ids.length)] ?? newId();
  const { does, amount, merchant: shop } = wanted;
  try {
    const made = await DO[does](ctx, {
      cardId: known.cards[wanted.card] ?? "",
      amount,
      held: pick(known.held),
      posted: pick(known.posted),
      said: { narrative: null, merchant: shop },
    });
    // The network takes back no row that takes one back.
    if (does !== "takeBack") {
      (does === "authorize" ? known.held : known.posted).push(made);
    }
  } catch (error) {
    if (!isDomainError(error)) {
      throw error;
    }
  }
}
