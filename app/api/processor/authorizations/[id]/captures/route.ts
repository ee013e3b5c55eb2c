import { createCapture as operation } from "#lib/operations/processor/create-capture.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { toCapture } from "#lib/processor/messages.ts";
import { postForProcessor } from "#lib/processor/operations.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { id, body }) =>
    toEffectReply(
      await bookOriginal(ctx, { operation: operation.id, reference: body.reference }, () =>
        postForProcessor(ctx, toCapture(id, body)),
      ),
    ),
});
