import { eq } from "drizzle-orm";
import { authorize } from "#lib/purchases/authorizations.ts";
import type { AuthorizationRequest } from "#lib/purchases/authorizations.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { transactionDeclined } from "#lib/base/signals.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { Float } from "#lib/funds/funds.ts";
import { EMPTY_BATCH, performOne } from "#lib/group-commit/batch.ts";
import type { DecidedBatch } from "#lib/group-commit/batch.ts";
import { incrementAuthorization } from "#lib/purchases/increments.ts";
import type { Incremented, IncrementRequest } from "#lib/purchases/increments.ts";
import { reverseAuthorization } from "#lib/purchases/holds.ts";
import type { ReversalRequest } from "#lib/purchases/holds.ts";
import { findAuthorization, forIntegrator, requireCardOwner } from "#lib/processor/context.ts";
import type {
  AuthorizationName,
  OwnAuthorization,
  ProcessorContext,
} from "#lib/processor/context.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { Processor } from "#lib/base/actor.ts";
import { integrators } from "#db/schema/integrators.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * The operations of the card network. Each one finds its integrator and calls the same functions as every other
 * caller.
 */

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

/** Authorizes requests on the cards of one integrator, as `authorize` does. Declines requests on unknown cards. */
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
  /** What the card has left, in minor units, right after the network's approval on our behalf. */
  available?: number;
}

/** What a message will do to its authorization once that arrives. */
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
  request: IncrementRequest,
): Promise<Incremented & { integratorId: string }> {
  const { integratorId, cardId } = await requireAuthorization(ctx, id);
  const integrator = forIntegrator(ctx, integratorId);
  const done = await incrementAuthorization(integrator, id, { ...request, cardId });
  return { integratorId, ...done };
}

/** @throws DomainError as `reverseAuthorization`. */
export async function reverseForProcessor(
  ctx: ProcessorContext,
  id: string,
  request: ReversalRequest,
): Promise<Effect> {
  return reverse(ctx, await requireAuthorization(ctx, id), request);
}

/**
 * Reverses an authorization by its reference.
 * @returns `left` if the authorization has not arrived.
 * @throws DomainError as `reverseAuthorization`.
 */
export async function reverseByReference(
  ctx: ProcessorContext,
  reference: string,
  request: ReversalRequest,
): Promise<Effect | { left: Left }> {
  const found = await findAuthorization(ctx, { reference });
  const { amount } = request;
  return found
    ? reverse(ctx, found, request)
    : { left: { releases: amount ?? 0, endsHold: amount === null } };
}

async function reverse(
  ctx: ProcessorContext,
  { integratorId, transactionId, cardId }: OwnAuthorization,
  request: ReversalRequest,
): Promise<Effect> {
  const integrator = forIntegrator(ctx, integratorId);
  const transaction = await reverseAuthorization(integrator, transactionId, { ...request, cardId });
  return { integratorId, transaction };
}

/** A capture of an authorization, or a purchase that the card network posted on a card. */
export interface ProcessorPosting extends PurchaseDescription {
  /** Null if the network named none. */
  authorization: AuthorizationName | null;
  /** Null if the network named none. */
  cardId: string | null;
  /** Minor units. Null for everything still held; 0, with `final`, only ends the hold. */
  amount: number | null;
  /** Whether the rest of the authorization's hold is released. */
  final: boolean;
}

/**
 * Records a capture of the authorization that the network names. If there is none, or it has not arrived, records a
 * purchase on the card.
 * @throws DomainError as `captureOwn` and `postPurchase`, and `authorization_not_found`.
 */
export async function postForProcessor(
  ctx: ProcessorContext,
  { authorization, ...posting }: ProcessorPosting,
): Promise<Effect> {
  const found = authorization && (await findAuthorization(ctx, authorization));
  if (found) {
    return captureOwn(ctx, found, posting);
  }
  const { cardId, amount, final, ...described } = posting;
  // Without an authorization, there is no hold to end, and no held amount to capture.
  if (cardId === null || !amount) {
    throw notFound("authorization_not_found");
  }
  const integratorId = await requireCardOwner(ctx, cardId);
  const integrator = forIntegrator(ctx, integratorId);
  const request = { cardId, amount, ...described };
  // An authorization named by its id will not arrive later: the network got the id from us.
  if (!authorization || "id" in authorization) {
    return { integratorId, transaction: await postPurchase(integrator, request) };
  }
  const transaction = await postPurchase(integrator, { ...request, authorization: "awaited" });
  return { integratorId, transaction, left: { releases: 0, endsHold: final } };
}

/**
 * Captures an authorization, or ends its hold.
 * @throws DomainError as `captureAuthorization` and `reverseAuthorization`; `fact_unmatched` if the network named
 *   another card.
 */
export async function captureOwn(
  ctx: ProcessorContext,
  found: OwnAuthorization,
  { cardId, amount, final, ...described }: Omit<ProcessorPosting, "authorization">,
): Promise<Effect> {
  const { integratorId, transactionId } = found;
  if (cardId !== null && cardId !== found.cardId) {
    throw new DomainError("fact_unmatched", "This authorization is of another card.");
  }
  if (amount === 0) {
    return reverse(ctx, found, { amount: null, occurredAt: described.occurredAt ?? null });
  }
  const integrator = forIntegrator(ctx, integratorId);
  const transaction = await captureAuthorization(integrator, transactionId, {
    amount,
    final,
    cardId: found.cardId,
    described,
  });
  return { integratorId, transaction };
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

async function requireAuthorization(ctx: ProcessorContext, id: string): Promise<OwnAuthorization> {
  const found = await findAuthorization(ctx, { id });
  if (!found) {
    throw notFound("authorization_not_found");
  }
  return found;
}
