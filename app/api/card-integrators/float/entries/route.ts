import { listFloatEntries as operation } from "#lib/operations/funds/list-float-entries.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toFloatEntryResource, toFloatFilter } from "#lib/api/wire/resources.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";

export const GET = handleRead(operation, async (ctx, { query }) => {
  const { rows, nextCursor } = await listFloatEntries(ctx, {
    ...toFloatFilter(query),
    limit: query.limit,
    cursor: query.cursor,
  });
  return { body: { data: rows.map(toFloatEntryResource), next_cursor: nextCursor } };
});
