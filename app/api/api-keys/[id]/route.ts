import { revokeApiKey as operation } from "#lib/operations/access/revoke-api-key.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { revokeApiKey } from "#lib/access/api-keys.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";

export const DELETE = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toApiKeyResource(await revokeApiKey(ctx, id)) },
  }),
  settled: forgetCredentials,
});
