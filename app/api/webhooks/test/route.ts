import { sendTestWebhook as operation } from "#lib/api/contract/webhooks.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toDeliveryResource } from "#lib/api/webhook-resources.ts";
import { toReadContext } from "#lib/context.ts";
import { getDelivery } from "#lib/deliveries.ts";
import { sendTest } from "#lib/endpoints.ts";

export const POST = handleWrite(operation, async (ctx) => {
  const { delivery } = await getDelivery(toReadContext(ctx), await sendTest(ctx));
  return { body: { data: toDeliveryResource(delivery) } };
});
