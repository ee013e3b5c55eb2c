import { createCapture as operation } from "#lib/operations/processor/create-capture.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";
import { captureForProcessor } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { id, body }) =>
    toEffectReply(
      await bookOriginal(ctx, { operation: operation.id, reference: body.reference }, () =>
        captureForProcessor(ctx, id, {
          amount: body.amount ?? null,
          final: body.final,
        }),
      ),
    ),
  toFact: ({ body }) => ({ cardId: null, amount: body.amount ?? null, merchant: null }),
});
