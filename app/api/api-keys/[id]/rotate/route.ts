import { rotateApiKey as operation } from "#lib/operations/access/rotate-api-key.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { rotateApiKey } from "#lib/access/api-keys.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body }) => {
    const { apiKey, key } = await rotateApiKey(ctx, id, body.overlap_days);
    return { body: { data: toApiKeyResource(apiKey), api_key: key } };
  },
  settled: forgetCredentials,
});
