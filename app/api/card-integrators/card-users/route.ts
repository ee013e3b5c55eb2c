import { listUsers as operation } from "#lib/operations/cardholders/list-users.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toUserResource } from "#lib/api/wire/resources.ts";
import { listCardholders } from "#lib/cards/cardholder-reads.ts";

export const GET = handleRead(operation, async (ctx, { query }) => {
  const { rows, page, total, totalPages } = await listCardholders(ctx, query);
  return { body: { data: rows.map(toUserResource), page, total, total_pages: totalPages } };
});
