import { listFloatEntries as operation } from "#lib/operations/funds/list-float-entries.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toFloatEntryResource } from "#lib/funds/float-entry-resource.ts";
import { toFloatFilter } from "#lib/api/wire/filters.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => {
    const { rows, nextCursor } = await listFloatEntries(ctx, {
      ...toFloatFilter(query),
      limit: query.limit,
      cursor: query.cursor,
    });
    return { body: { data: rows.map(toFloatEntryResource), next_cursor: nextCursor } };
  },
});
