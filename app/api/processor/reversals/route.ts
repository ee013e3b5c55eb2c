import { createReversalByReference as operation } from "#lib/operations/processor/create-reversal-by-reference.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toReversalReply } from "#lib/api/wire/processor-reply.ts";
import { toReversal } from "#lib/processor/messages.ts";
import { reverseByReference } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { body }) =>
    toReversalReply(await reverseByReference(ctx, body.authorization_reference, toReversal(body))),
});
