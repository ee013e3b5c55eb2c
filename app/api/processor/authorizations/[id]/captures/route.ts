import { createCapture as operation } from "#lib/api/contract/processor.ts";
import { handleProcessor } from "#lib/api/handle-processor.ts";
import { toEffectReply } from "#lib/api/processor-reply.ts";
import { env } from "#lib/env.ts";
import { settleAuthorization } from "#lib/processor/operations.ts";

export const POST = handleProcessor(operation, async (ctx, { id, body }) =>
  toEffectReply(
    await settleAuthorization(ctx, id, {
      amount: body.amount ?? null,
      final: body.final,
      tolerancePercent: env().captureTolerancePercent,
    }),
  ),
);
