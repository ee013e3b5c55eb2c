import { revokeApiKey as operation } from "#lib/api/contract/access.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toApiKeyResource } from "#lib/api/staff-resources.ts";
import { revokeApiKey } from "#lib/api-keys.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";

export const DELETE = handleWrite(
  operation,
  async (ctx, { id }) => ({ body: { data: toApiKeyResource(await revokeApiKey(ctx, id)) } }),
  forgetCredentials,
);
