import { recordAudit } from "#lib/record/audit.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import type { Described } from "#lib/transactions/card-transaction-records.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { captureAuthorization } from "#lib/purchases/captures.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { reverseAuthorization } from "#lib/purchases/holds.ts";
import { purchase } from "#lib/purchases/purchases.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { requireSandbox } from "#lib/base/sandbox.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** What the card network is to do with a card. Amounts in minor units. */
export interface Simulated extends Described {
  type: Simulation;
  /** Null: all there is, where the type knows of a transaction. */
  amount: number | null;
  transactionId: string | null;
  /** See `CaptureRequest`. */
  tolerancePercent: number;
}

/**
 * Plays the card network with one card, through the very functions that the processor's requests go through. A decline is
 * an answer, not a refusal.
 * @returns the transaction that came of it, or that changed.
 * @throws DomainError what the function behind the type throws, `card_not_found`, and `sandbox_only`.
 */
export async function simulate(
  ctx: WriteContext,
  cardId: string,
  wanted: Simulated,
): Promise<Transaction> {
  await requireSandbox(ctx);
  await getCard(toReadContext(ctx), cardId);
  const transaction = await SIMULATIONS[wanted.type](ctx, cardId, wanted);
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      actor: ctx.actor.ref,
      request: ctx.request,
      action: "card.transaction-simulated",
      targetType: "card",
      targetId: cardId,
      before: null,
      after: { type: wanted.type, reference: transaction.id, status: transaction.status },
    },
  ]);
  return transaction;
}

type Play = (ctx: WriteContext, cardId: string, wanted: Simulated) => Promise<Transaction>;

const giveBack: Play = (ctx, cardId, wanted) => refund(ctx, { ...wanted, cardId });

const SIMULATIONS: Readonly<Record<Simulation, Play>> = {
  authorize: async (ctx, cardId, wanted) => {
    const { actor, request } = ctx;
    const spend = { ...toSpend(cardId, wanted), expiresInS: HOLD_LIFE_S };
    return (await performOne(ctx.tx, authorize, { ...spend, actor, request })).transaction;
  },
  deduct: async (ctx, cardId, wanted) => (await purchase(ctx, toSpend(cardId, wanted))).transaction,
  capture: (ctx, cardId, { amount, tolerancePercent, ...wanted }) =>
    captureAuthorization(ctx, requireId(wanted), {
      amount,
      final: false,
      tolerancePercent,
      cardId,
    }),
  reversal: (ctx, cardId, { amount, ...wanted }) =>
    reverseAuthorization(ctx, requireId(wanted), { amount, cardId }),
  refund: giveBack,
  "deduct-reversal": giveBack,
};

function toSpend(cardId: string, { amount, narrative, merchant }: Simulated) {
  if (amount === null) {
    throw new Error("A purchase without an amount got past its contract.");
  }
  return { cardId, amount, currency: null, narrative, merchant };
}

function requireId({ transactionId }: Pick<Simulated, "transactionId">): string {
  if (transactionId === null) {
    throw new Error("A capture or reversal of nothing got past its contract.");
  }
  return transactionId;
}
