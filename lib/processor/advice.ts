import { findAuthorization, forIntegrator, requireCardOwner } from "#lib/processor/context.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { recordAdvice } from "#lib/purchases/advice.ts";
import type { AdviceRequest } from "#lib/purchases/advice.ts";
import { DomainError } from "#lib/base/errors.ts";

/** An authorization that the card network reports to have approved on our behalf. */
export interface ProcessorAdvice extends Omit<AdviceRequest, "authorizationId" | "reference"> {
  reference: string;
  /** The authorization's reference, if the network had asked us before. It then differs from `reference`. */
  authorizationReference: string | null;
}

/**
 * Records an authorization that the card network has approved on our behalf. Even if we had declined it, or it has not
 * arrived, later messages with the authorization's reference apply to this record.
 * @throws DomainError as `recordAdvice`; `fact_unmatched` if the authorization belongs to another card.
 */
export async function adviseForProcessor(
  ctx: ProcessorContext,
  { authorizationReference, ...advice }: ProcessorAdvice,
): Promise<Effect> {
  const reference = authorizationReference ?? advice.reference;
  const found = await findAuthorization(ctx, { reference });
  if (found && found.cardId !== advice.cardId) {
    throw new DomainError("fact_unmatched", "This authorization is of another card.");
  }
  const integratorId = found?.integratorId ?? (await requireCardOwner(ctx, advice.cardId));
  const { transaction, available, isOwn } = await recordAdvice(forIntegrator(ctx, integratorId), {
    ...advice,
    reference,
    authorizationId: found?.transactionId ?? null,
  });
  return {
    integratorId,
    transaction,
    available,
    // A request for authorization that arrives later adds only the difference.
    ...(isOwn && authorizationReference !== null
      ? { left: { releases: advice.amount, endsHold: false } }
      : {}),
  };
}
