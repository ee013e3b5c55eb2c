import { listDeprecations as operation } from "#lib/operations/deprecations/list-deprecations.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { readDeprecatedOperations } from "#lib/api/wire/deprecations.ts";

export const GET = serve(operation, {
  snapshot: async (ctx) => ({
    body: { data: await readDeprecatedOperations(ctx) },
  }),
});
