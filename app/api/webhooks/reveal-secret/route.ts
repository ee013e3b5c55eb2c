import { revealWebhookSecret as operation } from "#lib/operations/webhooks/reveal-webhook-secret.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { revealSigningSecret } from "#lib/webhooks/endpoint-secret.ts";

export const POST = serve(operation, {
  change: async (ctx, { body }) => ({
    body: { data: { secret: await revealSigningSecret(ctx, body.endpoint_id) } },
  }),
});
