import { notFound } from "#lib/base/errors.ts";
import {
  findAuthorization,
  findEarlyCaptures,
  forIntegrator,
  requireCardOwner,
} from "#lib/processor/context.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { findOriginal } from "#lib/processor/originals.ts";
import type { Original } from "#lib/processor/originals.ts";
import { refund } from "#lib/purchases/refunds.ts";
import type { RefundedBy, RefundRequest } from "#lib/purchases/refunds.ts";

/** A refund, and what it is for. The card network names that in at most one of these ways. */
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
      ? await findRefunded(ctx, { cardId: request.cardId, authorizationReference, original })
      : { transactionId };
  const integrator = forIntegrator(ctx, integratorId);
  return { integratorId, transaction: await refund(integrator, { ...request, of }) };
}

async function findRefunded(
  ctx: ProcessorContext,
  {
    cardId,
    authorizationReference: reference,
    original,
  }: Pick<ProcessorRefund, "cardId" | "authorizationReference" | "original">,
): Promise<RefundedBy | null> {
  if (reference !== null) {
    const found = await findAuthorization(ctx, { reference });
    return found ? { authorizationId: found.transactionId } : findEarly(ctx, reference, cardId);
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
 * A refund may arrive before its authorization. If exactly one capture has arrived, the refund is for that capture;
 * otherwise it refunds no purchase.
 */
async function findEarly(
  ctx: ProcessorContext,
  reference: string,
  cardId: string,
): Promise<RefundedBy | null> {
  const [capture, another] = await findEarlyCaptures(ctx, reference, cardId);
  return capture && !another ? { transactionId: capture.id } : null;
}
