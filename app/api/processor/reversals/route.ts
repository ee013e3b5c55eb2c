import { createReversalByReference as operation } from "#lib/operations/processor/create-reversal-by-reference.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toReversalReply } from "#lib/api/wire/processor-reply.ts";
import { toOriginal, toReversal } from "#lib/processor/messages.ts";
import { reverseByReference } from "#lib/processor/operations.ts";
import { takeBackOriginal } from "#lib/processor/taking-back.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { body }) => {
    const original = toOriginal(body);
    return toReversalReply(
      original
        ? await takeBackOriginal(ctx, original)
        : await reverseByReference(ctx, body.authorization_reference ?? "", toReversal(body)),
    );
  },
});
