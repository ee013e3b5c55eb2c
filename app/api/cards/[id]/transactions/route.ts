import { listCardTransactions as operation } from "#lib/api/contract/transactions.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toTransactionResource } from "#lib/api/wire/resources.ts";
import { listCardTransactions } from "#lib/transactions/transactions.ts";

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
