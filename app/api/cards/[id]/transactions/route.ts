import { listCardTransactions as operation } from "#lib/operations/transactions/list-card-transactions.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import { listCardTransactions } from "#lib/transactions/transactions.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { id, query }) => {
    const { type: types, status: statuses, ...rest } = query;
    const filter = { types, statuses, ...rest };
    const { rows, nextPage, nextCursor } = await listCardTransactions(ctx, id, filter);
    return {
      body: {
        data: rows.map(toTransactionResource),
        message: "Ok" as const,
        next_page: nextPage,
        next_cursor: nextCursor,
      },
    };
  },
});
