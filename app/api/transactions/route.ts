import { listTransactions as operation } from "#lib/operations/transactions/list-transactions.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toTransactionFilter, toTransactionResource } from "#lib/api/wire/resources.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";

export const GET = handleReadOnce(operation, async (ctx, { query }) => {
  const { limit, cursor } = query;
  const filter = { ...toTransactionFilter(query), limit, cursor };
  const { rows, nextCursor } = await listTransactions(ctx, filter);
  return { body: { data: rows.map(toTransactionResource), next_cursor: nextCursor } };
});
