import { getWebhooks as operation } from "#lib/api/contract/webhooks.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toEndpointResource } from "#lib/api/webhook-resources.ts";
import { getEndpoint } from "#lib/endpoints.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: { data: toEndpointResource(await getEndpoint(ctx)) },
}));
