import { createWebhookEndpoint } from "#lib/operations/webhooks/create-webhook-endpoint.ts";
import { listWebhookEndpoints } from "#lib/operations/webhooks/list-webhook-endpoints.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEndpointResource } from "#lib/webhooks/endpoint-resource.ts";
import { listEndpoints } from "#lib/webhooks/endpoints.ts";
import { createEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { refuseWebhookUrl } from "#lib/webhooks/inbox.ts";

export const GET = serve(listWebhookEndpoints, {
  read: async (ctx) => ({ body: { data: (await listEndpoints(ctx)).map(toEndpointResource) } }),
});

export const POST = serve(createWebhookEndpoint, {
  // Resolves a name, which must not hold a connection.
  prepare: (place, { body }) => refuseWebhookUrl(place, body.webhook_url),
  change: async (ctx, { body: { webhook_url: webhookUrl, ...others } }, refusal) => {
    if (refusal) {
      throw refusal;
    }
    const { endpoint, secret } = await createEndpoint(ctx, { webhookUrl, ...others });
    return { body: { data: toEndpointResource(endpoint), secret } };
  },
});
