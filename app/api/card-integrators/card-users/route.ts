import { listUsers as operation } from "#lib/operations/cardholders/list-users.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { listCardholders } from "#lib/cards/cardholder-reads.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => {
    const { rows, page, total, totalPages, nextCursor } = await listCardholders(ctx, query);
    const data = rows.map(toUserResource);
    return { body: { data, page, total, total_pages: totalPages, next_cursor: nextCursor } };
  },
});
