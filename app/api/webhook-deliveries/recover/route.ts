import { recoverWebhookDeliveries as operation } from "#lib/operations/webhooks/recover-webhook-deliveries.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { recoverDeliveries } from "#lib/webhooks/recovery.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => ({
    body: { data: await recoverDeliveries(ctx, body.since, body.endpoint_id) },
  }),
});
