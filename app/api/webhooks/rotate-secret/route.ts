import { rotateWebhookSecret as operation } from "#lib/operations/webhooks/rotate-webhook-secret.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { rotateSigningSecret } from "#lib/webhooks/endpoint-secret.ts";

export const POST = handleWrite(operation, async (ctx) => ({
  body: { data: { secret: await rotateSigningSecret(ctx) } },
}));
