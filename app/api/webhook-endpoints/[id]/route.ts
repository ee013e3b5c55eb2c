import { deleteWebhookEndpoint } from "#lib/operations/webhooks/delete-webhook-endpoint.ts";
import { getWebhookEndpoint } from "#lib/operations/webhooks/get-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "#lib/operations/webhooks/update-webhook-endpoint.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toEndpointResource } from "#lib/webhooks/endpoint-resource.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";
import { deleteEndpoint, updateEndpoint } from "#lib/webhooks/further-endpoints.ts";
import { refuseWebhookUrl } from "#lib/webhooks/inbox.ts";

export const GET = serve(getWebhookEndpoint, {
  read: async (ctx, { id }) => ({ body: { data: toEndpointResource(await getEndpoint(ctx, id)) } }),
});

export const PATCH = serve(updateWebhookEndpoint, {
  prepare: (place, { body }) => refuseWebhookUrl(place, body.webhook_url),
  change: async (ctx, { id, body: { webhook_url: webhookUrl, ...others } }, refusal) => {
    if (refusal) {
      throw refusal;
    }
    const { endpoint, droppedHeaders } = await updateEndpoint(ctx, id, { webhookUrl, ...others });
    return { body: { data: toEndpointResource(endpoint), dropped_headers: droppedHeaders } };
  },
});

export const DELETE = serve(deleteWebhookEndpoint, {
  change: async (ctx, { id }) => ({
    body: { data: toEndpointResource(await deleteEndpoint(ctx, id)) },
  }),
});
