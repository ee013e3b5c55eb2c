import { exemptApiKey as operation } from "#lib/operations/access/exempt-api-key.ts";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { exemptApiKey } from "#lib/approvals/exempt-api-key.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toApiKeyResource(await exemptApiKey(ctx, id)) },
  }),
});
