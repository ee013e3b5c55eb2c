import { getMissedWebhookDeliveries as operation } from "#lib/operations/webhooks/get-missed-webhook-deliveries.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toMissedResource } from "#lib/webhooks/delivery-resource.ts";
import { countMissed } from "#lib/webhooks/recovery.ts";

export const GET = serve(operation, {
  read: async (ctx, { query }) => ({
    body: {
      data: toMissedResource(await countMissed(ctx, query.since ?? new Date(0), query.endpoint_id)),
    },
  }),
});
