import { listCardTransactions as operation } from "#lib/api/contract/transactions.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toTransactionResource } from "#lib/api/resources.ts";
import { listCardTransactions } from "#lib/transactions.ts";

export const GET = handleRead(operation, async (ctx, { id, query }) => {
  const { rows, nextPage, nextCursor } = await listCardTransactions(ctx, id, query);
  return {
    body: {
      data: rows.map(toTransactionResource),
      message: "Ok" as const,
      next_page: nextPage,
      next_cursor: nextCursor,
    },
  };
});
