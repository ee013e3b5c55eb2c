import { createReversal as operation } from "#lib/operations/processor/create-reversal.ts";
import { handleProcessor } from "#lib/api/edge/handle-processor.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { reverseForProcessor } from "#lib/processor/operations.ts";

export const POST = handleProcessor(operation, async (ctx, { id, body }) =>
  toEffectReply(await reverseForProcessor(ctx, id, body.amount ?? null)),
);
