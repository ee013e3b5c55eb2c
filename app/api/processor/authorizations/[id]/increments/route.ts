import { createIncrement as operation } from "#lib/operations/processor/create-increment.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toIncrementReply } from "#lib/api/wire/processor-reply.ts";
import { incrementForProcessor } from "#lib/processor/operations.ts";

export const POST = serveNetwork(operation, {
  change: async (ctx, { id, body }) =>
    toIncrementReply(
      await incrementForProcessor(ctx, id, {
        amount: body.amount,
        occurredAt: body.occurred_at ?? null,
      }),
    ),
});
