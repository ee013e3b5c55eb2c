import { listCardActivity as operation } from "#lib/operations/cards/list-card-activity.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toActivityResource } from "#lib/transactions/activity-resource.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { id, query }) => {
    const { rows, nextCursor } = await listCardActivity(ctx, id, query);
    return { body: { data: rows.map(toActivityResource), next_cursor: nextCursor } };
  },
});
