import { getAccountVersion as operation } from "#lib/operations/account/get-account-version.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { readAccountVersion } from "#lib/overview/account-version.ts";

export const GET = serve(operation, {
  snapshot: async (ctx) => ({
    body: { version: await readAccountVersion(ctx) },
  }),
});
