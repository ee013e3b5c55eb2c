import { getFloat as operation } from "#lib/operations/funds/get-float.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toFloatResource } from "#lib/funds/float-resource.ts";
import { getFloat } from "#lib/funds/float.ts";

export const GET = serve(operation, {
  read: async (ctx) => ({
    body: toFloatResource(await getFloat(ctx)),
  }),
});
