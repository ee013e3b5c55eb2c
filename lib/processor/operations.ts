import { eq } from "drizzle-orm";
import { authorize } from "#lib/purchases/authorizations.ts";
import type { AuthorizationRequest } from "#lib/purchases/authorizations.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import type { CaptureRequest, PostingRequest } from "#lib/purchases/captures.ts";
import { notFound } from "#lib/base/errors.ts";
import { transactionDeclined } from "#lib/base/signals.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { Float } from "#lib/funds/funds.ts";
import { EMPTY_BATCH, performOne } from "#lib/group-commit/batch.ts";
import type { DecidedBatch } from "#lib/group-commit/batch.ts";
import { incrementAuthorization } from "#lib/purchases/increments.ts";
import type { Incremented } from "#lib/purchases/increments.ts";
import { reverseAuthorization } from "#lib/purchases/holds.ts";
import {
  findAuthorization,
  findAuthorizationOwner,
  findCardOwner,
  forIntegrator,
} from "#lib/processor/context.ts";
import type { OwnTransaction, ProcessorContext } from "#lib/processor/context.ts";
import { findOriginal } from "#lib/processor/originals.ts";
import type { Original } from "#lib/processor/originals.ts";
import { refund } from "#lib/purchases/refunds.ts";
import type { RefundedBy, RefundRequest } from "#lib/purchases/refunds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { Processor } from "#lib/base/actor.ts";
import { integrators } from "#db/schema/integrators.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** The operations of the card network. Each one finds its integrator and calls the same functions as every other caller. */

/** The result of an authorization. An unknown card has no transaction, because no integrator could see it. */
export interface Decision {
  integratorId: string | null;
  transaction: Transaction | null;
  declineReason: string | null;
  /** Minor units. Null for an unknown card. */
  available: number | null;
}

/** One authorization request of the processor, and the integrator of its card. Undefined for an unknown card. */
export interface ProcessorAuthorization extends Omit<AuthorizationRequest, "actor"> {
  actor: Processor;
  integratorId: string | undefined;
}

const UNKNOWN_CARD = {
  integratorId: null,
  transaction: null,
  declineReason: "card_unknown",
  available: null,
} as const satisfies Decision;

/** Authorizes requests on the cards of one integrator, as `authorize` does. An unknown card is declined. */
export async function decideAuthorizations(
  tx: Tx,
  requests: readonly ProcessorAuthorization[],
): Promise<DecidedBatch<Decision>> {
  const [first] = requests;
  if (!first) {
    return EMPTY_BATCH;
  }
  const { integratorId } = first;
  if (integratorId === undefined) {
    for (const _ of requests) {
      onCommit(tx, () => transactionDeclined.report({ reason: UNKNOWN_CARD.declineReason }));
    }
    return { ...EMPTY_BATCH, results: requests.map(() => ({ done: UNKNOWN_CARD })) };
  }
  const { results, write } = await authorize(
    tx,
    requests.map((request) => ({
      ...request,
      actor: { integratorId: request.integratorId ?? "", ref: request.actor.ref },
    })),
  );
  return {
    results: results.map((result) =>
      "refusal" in result
        ? result
        : {
            done: {
              integratorId,
              transaction: result.done.transaction,
              declineReason: result.done.transaction.declineReason,
              available: result.done.available,
            },
          },
    ),
    write,
  };
}

/** The result of an operation on one integrator's transactions. */
export interface Effect {
  integratorId: string;
  transaction: Transaction;
  left?: Left;
}

/** What a message leaves for the authorization that it names, which has not arrived. */
export interface Left {
  /** How much of its hold is released, in minor units. */
  releases: number;
  /** Whether nothing of it is held any more. */
  endsHold: boolean;
}

/** @throws DomainError as `incrementAuthorization`. */
export async function incrementForProcessor(
  ctx: ProcessorContext,
  id: string,
  amount: number,
): Promise<Incremented & { integratorId: string }> {
  const integratorId = await requireAuthorizationOwner(ctx, id);
  const done = await incrementAuthorization(forIntegrator(ctx, integratorId), id, { amount });
  return { integratorId, ...done };
}

/** @throws DomainError as `captureAuthorization`. */
export async function captureForProcessor(
  ctx: ProcessorContext,
  id: string,
  request: CaptureRequest,
): Promise<Effect> {
  const integratorId = await requireAuthorizationOwner(ctx, id);
  return capture(ctx, { integratorId, transactionId: id }, request);
}

async function capture(
  ctx: ProcessorContext,
  { integratorId, transactionId }: OwnTransaction,
  request: CaptureRequest,
): Promise<Effect> {
  const integrator = forIntegrator(ctx, integratorId);
  const transaction = await captureAuthorization(integrator, transactionId, request);
  return { integratorId, transaction };
}

/** @throws DomainError as `reverseAuthorization`. */
export async function reverseForProcessor(
  ctx: ProcessorContext,
  id: string,
  amount: number | null,
): Promise<Effect> {
  const integratorId = await requireAuthorizationOwner(ctx, id);
  return reverse(ctx, { integratorId, transactionId: id }, amount);
}

/**
 * Reverses an authorization by its reference.
 * @returns what is left for the authorization if it has not arrived.
 * @throws DomainError as `reverseAuthorization`.
 */
export async function reverseByReference(
  ctx: ProcessorContext,
  reference: string,
  amount: number | null,
): Promise<Effect | { left: Left }> {
  const found = await findAuthorization(ctx, reference);
  return found
    ? reverse(ctx, found, amount)
    : { left: { releases: amount ?? 0, endsHold: amount === null } };
}

async function reverse(
  ctx: ProcessorContext,
  { integratorId, transactionId }: OwnTransaction,
  amount: number | null,
): Promise<Effect> {
  const integrator = forIntegrator(ctx, integratorId);
  const transaction = await reverseAuthorization(integrator, transactionId, { amount });
  return { integratorId, transaction };
}

/** A purchase that the card network has posted: of the authorization that it names by its reference, or of the card. */
export interface ProcessorPosting extends Omit<PostingRequest, "cardId"> {
  cardId: string | null;
  authorizationReference: string | null;
  /** Of an authorization: the rest of its hold is released. */
  final: boolean;
}

/** @throws DomainError as `captureAuthorization` and `postPurchase`. */
export async function postForProcessor(
  ctx: ProcessorContext,
  { authorizationReference, cardId, final, ...posted }: ProcessorPosting,
): Promise<Effect> {
  const found =
    authorizationReference === null
      ? undefined
      : await findAuthorization(ctx, authorizationReference);
  if (found) {
    const ofCard = cardId === null ? {} : { cardId };
    return capture(ctx, found, { amount: posted.amount, final, ...ofCard });
  }
  if (cardId === null) {
    throw notFound("authorization_not_found");
  }
  const integratorId = await requireCardOwner(ctx, cardId);
  const integrator = forIntegrator(ctx, integratorId);
  if (authorizationReference === null) {
    return { integratorId, transaction: await postPurchase(integrator, { ...posted, cardId }) };
  }
  const early = { ...posted, cardId, authorization: "awaited" } as const;
  const transaction = await postPurchase(integrator, early);
  return { integratorId, transaction, left: { releases: 0, endsHold: final } };
}

/** A refund, and how the card network says what it is for: in one way at most. */
export interface ProcessorRefund extends Omit<RefundRequest, "of"> {
  transactionId: string | null;
  authorizationReference: string | null;
  original: Original | null;
}

/** @throws DomainError as `refund`; `transaction_not_found` also for an original that has not arrived. */
export async function refundForProcessor(
  ctx: ProcessorContext,
  { transactionId, authorizationReference, original, ...request }: ProcessorRefund,
): Promise<Effect> {
  const integratorId = await requireCardOwner(ctx, request.cardId);
  const of =
    transactionId === null
      ? await findRefunded(ctx, { authorizationReference, original })
      : { transactionId };
  const integrator = forIntegrator(ctx, integratorId);
  return { integratorId, transaction: await refund(integrator, { ...request, of }) };
}

/** An authorization may arrive later than its refund, which then stands by itself. */
async function findRefunded(
  ctx: ProcessorContext,
  {
    authorizationReference,
    original,
  }: Pick<ProcessorRefund, "authorizationReference" | "original">,
): Promise<RefundedBy | null> {
  if (authorizationReference !== null) {
    const found = await findAuthorization(ctx, authorizationReference);
    return found ? { authorizationId: found.transactionId } : null;
  }
  if (!original) {
    return null;
  }
  const found = await findOriginal(ctx, original);
  if (!found) {
    throw notFound("transaction_not_found");
  }
  return { transactionId: found.transactionId };
}

/**
 * Adds received money to an integrator's float.
 * @throws DomainError `integrator_not_found`, `balance_limit_exceeded`, `clock_advancing`.
 */
export async function fundFloat(
  ctx: ProcessorContext,
  { integratorId, amount }: { integratorId: string; amount: number },
): Promise<Float> {
  const [known] = await ctx.tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, integratorId));
  if (!known) {
    throw notFound("integrator_not_found");
  }
  const { tx, ...origin } = forIntegrator(ctx, integratorId);
  const { float } = await performOne(tx, moveFunds, {
    ...origin,
    kind: "top-up",
    amount,
    idempotencyKey: null,
  });
  return float;
}

async function requireCardOwner(ctx: ProcessorContext, cardId: string): Promise<string> {
  const integratorId = await findCardOwner(ctx.tx, cardId);
  if (integratorId === undefined) {
    throw notFound("card_not_found");
  }
  return integratorId;
}

async function requireAuthorizationOwner(ctx: ProcessorContext, id: string): Promise<string> {
  const integratorId = await findAuthorizationOwner(ctx, id);
  if (integratorId === undefined) {
    throw notFound("authorization_not_found");
  }
  return integratorId;
}
