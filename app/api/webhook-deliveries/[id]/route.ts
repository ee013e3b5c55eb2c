import { getWebhookDelivery as operation } from "#lib/api/contract/webhooks.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toDeliveryWithAttemptsResource } from "#lib/api/webhook-resources.ts";
import { getDelivery } from "#lib/deliveries.ts";

export const GET = handleRead(operation, async (ctx, { id }) => ({
  body: { data: toDeliveryWithAttemptsResource(await getDelivery(ctx, id)) },
}));
