import { listTransactions as operation } from "#lib/api/contract/transactions.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toTransactionResource } from "#lib/api/resources.ts";
import { listTransactions } from "#lib/transactions.ts";

export const GET = handleRead(operation, async (ctx, { query: { card_id: cardId, ...filter } }) => {
  const { rows, nextCursor } = await listTransactions(ctx, { ...filter, cardId });
  return { body: { data: rows.map(toTransactionResource), next_cursor: nextCursor } };
});
