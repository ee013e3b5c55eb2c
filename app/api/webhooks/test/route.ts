import { sendTestWebhook as operation } from "#lib/operations/webhooks/send-test-webhook.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toDeliveryResource } from "#lib/webhooks/delivery-resource.ts";
import { toReadContext } from "#lib/base/context.ts";
import { getDelivery } from "#lib/webhooks/deliveries.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => {
    const id = await sendTest(ctx, body.endpoint_id);
    const { delivery } = await getDelivery(toReadContext(ctx), id);
    return { body: { data: toDeliveryResource(delivery) } };
  },
});
