import { getLoggedRequest as operation } from "#lib/operations/access/get-logged-request.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toDetailedRequestResource } from "#lib/api/wire/staff-resources.ts";
import { getRequest } from "#lib/record/request-log.ts";

export const GET = handleReadOnce(operation, async (ctx, { id }) => ({
  body: { data: toDetailedRequestResource(await getRequest(ctx, id)) },
}));
