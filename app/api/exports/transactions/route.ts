import { exportTransactions as operation } from "#lib/operations/exports/export-transactions.ts";
import { toTransactionsTable } from "#lib/api/export/export-tables.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toTransactionFilter } from "#lib/api/wire/filters.ts";

export const GET = serve(operation, {
  toTable: ({ query }, { timeZone, actor }) =>
    toTransactionsTable(toTransactionFilter(query), {
      timeZone,
      mayReadCards: actor.scopes.has("cards:read"),
    }),
});
