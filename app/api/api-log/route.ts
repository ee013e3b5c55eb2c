import { listApiLog as operation } from "#lib/operations/access/list-api-log.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toLoggedRequestResource } from "#lib/record/request-resource.ts";
import { listRequests } from "#lib/record/request-log.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => {
    const {
      actor_id: actorId,
      card_id: cardId,
      request_id: requestId,
      api_version: apiVersion,
      ...rest
    } = query;
    const page = await listRequests(ctx, { ...rest, actorId, cardId, requestId, apiVersion });
    return { body: { data: page.rows.map(toLoggedRequestResource), next_cursor: page.nextCursor } };
  },
});
