import { enableWebhooks as operation } from "#lib/api/contract/webhooks.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toEndpointResource } from "#lib/api/webhook-resources.ts";
import { enableNotifications } from "#lib/endpoints.ts";

export const POST = handleWrite(operation, async (ctx) => ({
  body: { data: toEndpointResource(await enableNotifications(ctx)) },
}));
