import { listTransactions as operation } from "#lib/operations/transactions/list-transactions.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionFilter, toTransactionResource } from "#lib/api/wire/resources.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";

export const GET = serve(operation, {
  read: async (ctx, { query }) => {
    const { limit, cursor } = query;
    const filter = { ...toTransactionFilter(query), limit, cursor };
    const { rows, nextCursor } = await listTransactions(ctx, filter);
    return { body: { data: rows.map(toTransactionResource), next_cursor: nextCursor } };
  },
});
