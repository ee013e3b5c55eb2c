import { createRefund as operation } from "#lib/operations/processor/create-refund.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { refundForProcessor } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { body }) =>
    toEffectReply(
      await refundForProcessor(ctx, {
        cardId: body.card_id,
        transactionId: body.transaction_id ?? null,
        amount: body.amount,
        ...cleanDescription(body),
      }),
    ),
});
