import { createReversal as operation } from "#lib/operations/processor/create-reversal.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { toReversal } from "#lib/processor/messages.ts";
import { reverseForProcessor } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { id, body }) =>
    toEffectReply(await reverseForProcessor(ctx, id, toReversal(body))),
});
