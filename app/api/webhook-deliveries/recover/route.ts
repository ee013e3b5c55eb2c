import { recoverWebhookDeliveries as operation } from "#lib/operations/webhooks/recover-webhook-deliveries.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { recoverDeliveries } from "#lib/webhooks/deliveries.ts";

export const POST = handleWrite(operation, async (ctx, { body }) => ({
  body: { data: await recoverDeliveries(ctx, body.since) },
}));
