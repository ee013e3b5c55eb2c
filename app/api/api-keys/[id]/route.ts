import { revokeApiKey as operation } from "#lib/operations/access/revoke-api-key.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toApiKeyResource } from "#lib/api/wire/staff-resources.ts";
import { revokeApiKey } from "#lib/access/api-keys.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";

export const DELETE = handleWrite(
  operation,
  async (ctx, { id }) => ({ body: { data: toApiKeyResource(await revokeApiKey(ctx, id)) } }),
  forgetCredentials,
);
