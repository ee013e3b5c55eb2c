import { resendWebhookDelivery as operation } from "#lib/operations/webhooks/resend-webhook-delivery.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toDeliveryResource } from "#lib/api/wire/webhook-resources.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";

export const POST = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toDeliveryResource(await resendDelivery(ctx, id)) },
}));
