import { exportTransactions as operation } from "#lib/operations/exports/export-transactions.ts";
import { toTransactionsTable } from "#lib/api/export/export-tables.ts";
import { handleExport } from "#lib/api/edge/handle.ts";
import { toTransactionFilter } from "#lib/api/wire/resources.ts";

export const GET = handleExport(operation, "transactions", ({ query }) =>
  toTransactionsTable(toTransactionFilter(query)),
);
