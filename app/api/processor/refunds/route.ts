import { createRefund as operation } from "#lib/operations/processor/create-refund.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { toRefund } from "#lib/processor/messages.ts";
import { refundForProcessor } from "#lib/processor/refunding.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { body }) =>
    toEffectReply(
      await bookOriginal(ctx, { operation: operation.id, reference: body.reference }, () =>
        refundForProcessor(ctx, toRefund(body)),
      ),
    ),
});
