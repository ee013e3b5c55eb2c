import { previewAutoFreezeSettings as operation } from "#lib/operations/account/preview-auto-freeze-settings.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { PREVIEW_DAYS } from "#lib/transactions/auto-freeze.ts";
import { previewFrozenBy } from "#lib/transactions/recent-declines.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query: { reasons = null, ...counts } }) => ({
    body: {
      data: { days: PREVIEW_DAYS, ...(await previewFrozenBy(ctx, { ...counts, reasons })) },
    },
  }),
});
