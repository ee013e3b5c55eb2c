import { getWebhooks as operation } from "#lib/operations/webhooks/get-webhooks.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEndpointResource } from "#lib/webhooks/endpoint-resource.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";

export const GET = serve(operation, {
  read: async (ctx) => ({
    body: { data: toEndpointResource(await getEndpoint(ctx)) },
  }),
});
