import { rotateWebhookSecret as operation } from "#lib/operations/webhooks/rotate-webhook-secret.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { rotateSigningSecret } from "#lib/webhooks/endpoint-secret.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => ({
    body: { data: { secret: await rotateSigningSecret(ctx, body.endpoint_id) } },
  }),
});
