import { listCards as operation } from "#lib/operations/cards/list-cards.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toNextLink } from "#lib/api/wire/next-link.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { toCardFilter } from "#lib/api/wire/filters.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

export const GET = serve(operation, {
  read: async (ctx, { query }) => {
    const { rows, nextCursor } = await listCards(ctx, toCardFilter(query));
    return { body: rows.map(toCardResource), headers: toNextLink("/api/cards", query, nextCursor) };
  },
});
