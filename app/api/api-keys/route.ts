import { createApiKey as createOperation } from "#lib/operations/access/create-api-key.ts";
import { listApiKeys as listOperation } from "#lib/operations/access/list-api-keys.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApiKeyResource } from "#lib/access/api-key-resource.ts";
import { issueApiKey, listApiKeys } from "#lib/access/api-keys.ts";

export const GET = serve(listOperation, {
  read: async (ctx) => ({
    body: { data: (await listApiKeys(ctx)).map(toApiKeyResource) },
  }),
});

export const POST = serve(createOperation, {
  change: async (ctx, { body }) => {
    const { apiKey, key } = await issueApiKey(ctx, {
      name: body.name,
      scopes: [...new Set(body.scopes)],
      expiresInDays: body.expires_in_days,
    });
    return { body: { data: toApiKeyResource(apiKey), api_key: key } };
  },
});
