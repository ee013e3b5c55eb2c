import { getLoggedRequest as operation } from "#lib/operations/access/get-logged-request.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toDetailedRequestResource } from "#lib/record/request-resource.ts";
import { getRequest } from "#lib/record/request-log.ts";

export const GET = serve(operation, {
  read: async (ctx, { id }) => ({
    body: { data: toDetailedRequestResource(await getRequest(ctx, id)) },
  }),
});
