import { listTransactions as operation } from "#lib/operations/transactions/list-transactions.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionFilter } from "#lib/api/wire/filters.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";

export const GET = serve(operation, {
  reads: async (read, { query }, { actor }) => {
    const { limit, cursor, search } = query;
    // A caller who may not read cards cannot find transactions by them either.
    const searchedCards = actor.scopes.has("cards:read")
      ? await findCardsOfWords(read, search)
      : undefined;
    const filter = { ...toTransactionFilter(query), searchedCards, limit, cursor };
    const { rows, nextCursor } = await read((ctx) => listTransactions(ctx, filter));
    return { body: { data: rows.map(toTransactionResource), next_cursor: nextCursor } };
  },
});
