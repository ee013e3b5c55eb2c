import { revealWebhookSecret as operation } from "#lib/operations/webhooks/reveal-webhook-secret.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { revealSigningSecret } from "#lib/webhooks/endpoint-secret.ts";

export const POST = handleWrite(operation, async (ctx) => ({
  body: { data: { secret: await revealSigningSecret(ctx) } },
}));
