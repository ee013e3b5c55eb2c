import { resendWebhookDelivery as operation } from "#lib/operations/webhooks/resend-webhook-delivery.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toDeliveryResource } from "#lib/webhooks/delivery-resource.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toDeliveryResource(await resendDelivery(ctx, id)) },
  }),
});
