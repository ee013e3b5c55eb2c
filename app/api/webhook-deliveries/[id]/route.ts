import { getWebhookDelivery as operation } from "#lib/operations/webhooks/get-webhook-delivery.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toDeliveryWithAttemptsResource } from "#lib/api/wire/webhook-resources.ts";
import { getDelivery } from "#lib/webhooks/deliveries.ts";

export const GET = handleRead(operation, async (ctx, { id }) => ({
  body: { data: toDeliveryWithAttemptsResource(await getDelivery(ctx, id)) },
}));
