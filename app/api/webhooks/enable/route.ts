import { enableWebhooks as operation } from "#lib/operations/webhooks/enable-webhooks.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toEndpointResource } from "#lib/api/wire/webhook-resources.ts";
import { enableNotifications } from "#lib/webhooks/endpoints.ts";

export const POST = handleWrite(operation, async (ctx) => ({
  body: { data: toEndpointResource(await enableNotifications(ctx)) },
}));
