import { createReversal as operation } from "#lib/api/contract/processor.ts";
import { handleProcessor } from "#lib/api/handle-processor.ts";
import { toEffectReply } from "#lib/api/processor-reply.ts";
import { undoAuthorization } from "#lib/processor/operations.ts";

export const POST = handleProcessor(operation, async (ctx, { id, body }) =>
  toEffectReply(await undoAuthorization(ctx, id, body.amount ?? null)),
);
