import { bookAll } from "#lib/api/commit/internal/authorize-and-book.ts";
import { adviseForProcessor } from "#lib/processor/advice.ts";
import type { ProcessorAdvice } from "#lib/processor/advice.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import type { Effect } from "#lib/processor/operations.ts";
import { findWaitingCaptures } from "#lib/processor/unmatched.ts";

/**
 * Records what the card network has approved in our place, as `adviseForProcessor` does. A capture that arrived
 * earlier and named no card is booked in the same transaction.
 */
export async function adviseAndBook(
  ctx: ProcessorContext,
  advice: ProcessorAdvice,
): Promise<Effect> {
  const effect = await adviseForProcessor(ctx, advice);
  const { integratorId, transaction } = effect;
  const { id: transactionId, cardId } = transaction;
  const reference = advice.authorizationReference ?? advice.reference;
  await bookAll(ctx.tx, ctx.request, {
    clearings: await findWaitingCaptures(ctx.tx, [reference]),
    authorization: { integratorId, transactionId, cardId },
  });
  return effect;
}
