import { updateAccount as operation } from "#lib/operations/account/update-account.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import type { Account } from "#lib/integrators/account-resource.ts";
import { refuseWebhookUrl } from "#lib/webhooks/inbox.ts";

// The check whether the address may be used runs before the transaction, but its refusal is thrown inside. So a
// repeat of the request gets the stored response, whatever the network says by then.
export const PATCH = serve(operation, {
  prepare: (place, { body }) => refuseWebhookUrl(place, body.webhook_url),
  update: async (ctx, { body }, refusal) => {
    if (refusal) {
      throw refusal;
    }
    return updateAccount(ctx, {
      businessAddress: body.business_address,
      webhookUrl: body.webhook_url,
      domain: body.domain,
    });
  },
  toBody: (account: Account) => ({ data: toAccountResource(account) }),
});
