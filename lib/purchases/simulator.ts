import { recordAudit } from "#lib/record/audit.ts";
import { recordAdvice } from "#lib/purchases/advice.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { lockCard } from "#lib/cards/card-lock.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { listRefundable } from "#lib/transactions/card-purchases.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import { bookEarlier } from "#lib/purchases/internal/book-earlier.ts";
import type { EarlierMessage } from "#lib/purchases/internal/book-earlier.ts";
import {
  requireIntendedCapture,
  requireIntendedIncrement,
  requireIntendedRefund,
  requireIntendedReversal,
  requireIntendedTakeBack,
} from "#lib/purchases/internal/intended.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { expireAuthorizationNow, reverseAuthorization } from "#lib/purchases/holds.ts";
import { forceDecline, purchase } from "#lib/purchases/purchases.ts";
import { incrementAuthorization } from "#lib/purchases/increments.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { takeBack } from "#lib/purchases/taking-back.ts";
import { requireSandbox } from "#lib/base/sandbox.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** What to simulate on a card. Amounts in minor units. */
export interface SimulationRequest {
  type: Simulation;
  /** Null for everything, for types that refer to a transaction. */
  amount: number | null;
  transactionId: string | null;
  /** Why to decline a purchase or an authorization. Null to let the card's rules decide. */
  declineWith: DeclineReason | null;
  /** Of a capture: the rest of the hold is released. */
  final: boolean;
  /** See `AuthorizationRequest`. */
  allowPartial: boolean;
  /** What arrives before the authorization, in this order. */
  earlier: readonly EarlierMessage[];
  /** Also simulates what a test probably did not intend; see `internal/intended.ts`. */
  force: boolean;
  described: PurchaseDescription;
}

/**
 * Simulates the card network for one card, through the same functions that handle the processor's requests. A decline
 * is a result, not a refusal.
 * @returns the transaction that was created or changed.
 * @throws DomainError `card_not_found`, `sandbox_only`, and what the simulated function throws.
 */
export async function simulate(
  ctx: WriteContext,
  cardId: string,
  request: SimulationRequest,
): Promise<Transaction> {
  await requireSandbox(ctx);
  await getCard(toReadContext(ctx), cardId);
  const transaction = await SIMULATIONS[request.type](ctx, cardId, request);
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      actor: ctx.actor.ref,
      request: ctx.request,
      action: "card.transaction-simulated",
      targetType: "card",
      targetId: cardId,
      before: null,
      after: {
        type: request.type,
        reference: transaction.id,
        status: transaction.status,
        ...(request.declineWith === null ? {} : { decline_with: request.declineWith }),
      },
    },
  ]);
  return transaction;
}

type Simulator = (
  ctx: WriteContext,
  cardId: string,
  request: SimulationRequest,
) => Promise<Transaction>;

const simulateAuthorization: Simulator = async (ctx, cardId, simulation) => {
  const { actor, request } = ctx;
  const { allowPartial, declineWith, earlier } = simulation;
  const spend = { ...toSpend(cardId, simulation), expiresInS: HOLD_LIFE_S, allowPartial };
  if (declineWith !== null) {
    return forceDecline(ctx, spend, declineWith);
  }
  const early = await bookEarlier(ctx, spend, earlier);
  return (await performOne(ctx.tx, authorize, { ...spend, early, actor, request })).transaction;
};

const simulateAdvice: Simulator = async (ctx, cardId, simulation) => {
  const { transactionId: authorizationId } = simulation;
  const spend = { ...toSpend(cardId, simulation), expiresInS: HOLD_LIFE_S };
  return (await recordAdvice(ctx, { ...spend, reference: null, authorizationId })).transaction;
};

/** Without a purchase's id, refunds the newest purchase with that much left to refund: a test has few purchases. */
const simulateRefund: Simulator = async (
  ctx,
  cardId,
  { force, transactionId, amount, described },
) => {
  const id = transactionId ?? (await findOwnPurchase(ctx, cardId, amount));
  const of = id === undefined ? null : { transactionId: id };
  const named = transactionId !== null;
  return refund(
    ctx,
    { ...described, cardId, of, amount },
    force
      ? undefined
      : ([bought], wanted) => requireIntendedRefund({ named, purchase: bought }, wanted),
  );
};

async function findOwnPurchase(
  ctx: WriteContext,
  cardId: string,
  amount: number | null,
): Promise<string | undefined> {
  await lockCard(ctx, cardId);
  const [newest] = await listRefundable(toReadContext(ctx), cardId, {
    amount: amount ?? 1,
    limit: 1,
  });
  return newest?.id;
}

const SIMULATIONS: Readonly<Record<Simulation, Simulator>> = {
  authorize: simulateAuthorization,
  verification: (ctx, cardId, simulation) =>
    simulateAuthorization(ctx, cardId, { ...simulation, amount: 0 }),
  deduct: async (ctx, cardId, simulation) => {
    const spend = toSpend(cardId, simulation);
    return simulation.declineWith === null
      ? (await purchase(ctx, spend)).transaction
      : forceDecline(ctx, spend, simulation.declineWith);
  },
  increment: async (ctx, cardId, { amount, force, transactionId, described }) => {
    const id = requireId(transactionId);
    if (!force) {
      await requireIntendedIncrement(ctx, id, { cardId });
    }
    const { occurredAt = null } = described;
    const request = { amount: requireAmount(amount), cardId, occurredAt };
    return (await incrementAuthorization(ctx, id, request)).transaction;
  },
  capture: async (ctx, cardId, { amount, force, final, transactionId, described }) => {
    const id = requireId(transactionId);
    if (!force) {
      await requireIntendedCapture(ctx, id, { amount, cardId });
    }
    return captureAuthorization(ctx, id, { amount, final, cardId, described });
  },
  posting: (ctx, cardId, simulation) => postPurchase(ctx, toSpend(cardId, simulation)),
  reversal: async (ctx, cardId, { amount, force, transactionId, described }) => {
    const id = requireId(transactionId);
    if (!force) {
      await requireIntendedReversal(ctx, id, { amount, cardId });
    }
    const { occurredAt = null } = described;
    return reverseAuthorization(ctx, id, { amount, cardId, occurredAt });
  },
  expire: (ctx, cardId, { transactionId }) =>
    expireAuthorizationNow(ctx, requireId(transactionId), { cardId }),
  advice: simulateAdvice,
  refund: simulateRefund,
  "deduct-reversal": simulateRefund,
  "take-back": async (ctx, cardId, { transactionId }) => {
    const id = requireId(transactionId);
    await requireIntendedTakeBack(ctx, id, { cardId });
    return takeBack(ctx, id);
  },
};

function toSpend(cardId: string, { amount, described }: SimulationRequest) {
  return { ...described, cardId, amount: requireAmount(amount), currency: null };
}

function requireAmount(amount: number | null): number {
  if (amount === null) {
    throw new Error("The contract let a simulation without its amount through.");
  }
  return amount;
}

function requireId(transactionId: string | null): string {
  if (transactionId === null) {
    throw new Error("The contract let a simulation without its transaction id through.");
  }
  return transactionId;
}
