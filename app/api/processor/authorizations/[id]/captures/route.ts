import { createCapture as operation } from "#lib/operations/processor/create-capture.ts";
import { handleProcessor } from "#lib/api/edge/handle-processor.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { env } from "#lib/base/env.ts";
import { captureForProcessor } from "#lib/processor/operations.ts";

export const POST = handleProcessor(operation, async (ctx, { id, body }) =>
  toEffectReply(
    await captureForProcessor(ctx, id, {
      amount: body.amount ?? null,
      final: body.final,
      tolerancePercent: env().captureTolerancePercent,
    }),
  ),
);
