import { updateAccount as operation } from "#lib/api/contract/account.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toAccountResource } from "#lib/api/resources.ts";
import { updateAccount } from "#lib/integrators.ts";
import { refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";

export const PATCH = handleWrite(
  operation,
  async (ctx, { body }) => {
    const account = await updateAccount(ctx, {
      businessAddress: body.business_address,
      webhookUrl: body.webhook_url,
      domain: body.domain,
    });
    return { body: { data: toAccountResource(account) } };
  },
  ({ body }) => refuseEndpointUrl(body.webhook_url),
);
