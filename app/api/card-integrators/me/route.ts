import { getAccount as operation } from "#lib/operations/account/get-account.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAccountResource } from "#lib/integrators/account-resource.ts";
import { getAccount } from "#lib/integrators/integrators.ts";

export const GET = serve(operation, {
  read: async (ctx) => ({
    body: { data: toAccountResource(await getAccount(ctx)) },
  }),
});
