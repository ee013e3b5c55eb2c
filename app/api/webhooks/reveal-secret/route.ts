import { revealWebhookSecret as operation } from "#lib/api/contract/webhooks.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { revealSigningSecret } from "#lib/endpoint-secret.ts";

export const POST = handleWrite(operation, async (ctx) => ({
  body: { data: { secret: await revealSigningSecret(ctx) } },
}));
