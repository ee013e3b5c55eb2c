import { createAuthorization as operation } from "#lib/api/contract/processor.ts";
import { handleProcessor } from "#lib/api/handle.ts";
import { decideAuthorization } from "#lib/processor/operations.ts";

export const POST = handleProcessor(operation, async (ctx, { body }) => {
  const decided = await decideAuthorization(ctx, {
    cardId: body.card_id,
    amount: body.amount,
    currency: body.currency,
    narrative: body.narrative,
    merchant: body.merchant,
    expiresInS: body.expires_in,
  });
  const { integratorId, transaction, declineReason, available } = decided;
  const id = transaction?.id ?? null;
  return {
    concerned: { integratorId, transactionId: id },
    body: {
      id,
      decision: declineReason === null ? ("approved" as const) : ("declined" as const),
      decline_reason: declineReason,
      available,
    },
  };
});
