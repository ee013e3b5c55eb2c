import { previewIdleFreezeSettings as operation } from "#lib/operations/account/preview-idle-freeze-settings.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { countIdleTomorrow } from "#lib/transactions/idle-freeze.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => ({
    body: { data: { cards: await countIdleTomorrow(ctx, query.idle_freeze_days) } },
  }),
});
