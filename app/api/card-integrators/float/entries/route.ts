import { listFloatEntries as operation } from "#lib/api/contract/funds.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toFloatEntryResource } from "#lib/api/wire/resources.ts";
import { listFloatEntries } from "#lib/funds/float.ts";

export const GET = handleRead(operation, async (ctx, { query }) => {
  const { rows, nextCursor } = await listFloatEntries(ctx, query);
  return { body: { data: rows.map(toFloatEntryResource), next_cursor: nextCursor } };
});
