import { previewIdleFreezeSettings as operation } from "#lib/operations/account/preview-idle-freeze-settings.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { previewIdle } from "#lib/transactions/idle-freeze.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => ({
    body: { data: await previewIdle(ctx, query.idle_freeze_days) },
  }),
});
