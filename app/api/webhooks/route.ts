import { getWebhooks as operation } from "#lib/operations/webhooks/get-webhooks.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toEndpointResource } from "#lib/api/wire/webhook-resources.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";

export const GET = handleReadOnce(operation, async (ctx) => ({
  body: { data: toEndpointResource(await getEndpoint(ctx)) },
}));
