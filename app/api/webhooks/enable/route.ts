import { enableWebhooks as operation } from "#lib/operations/webhooks/enable-webhooks.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEndpointResource } from "#lib/webhooks/endpoint-resource.ts";
import { enableNotifications } from "#lib/webhooks/endpoints.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => ({
    body: { data: toEndpointResource(await enableNotifications(ctx, body.endpoint_id)) },
  }),
});
