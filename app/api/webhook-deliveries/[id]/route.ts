import { getWebhookDelivery as operation } from "#lib/operations/webhooks/get-webhook-delivery.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toDeliveryWithAttemptsResource } from "#lib/webhooks/delivery-resource.ts";
import { getDelivery } from "#lib/webhooks/deliveries.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { id }) => ({
    body: { data: toDeliveryWithAttemptsResource(await getDelivery(ctx, id)) },
  }),
});
