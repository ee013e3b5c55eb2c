import { exportTransactions as operation } from "#lib/api/contract/exports.ts";
import { toTransactionsTable } from "#lib/api/export-tables.ts";
import { handleExport } from "#lib/api/handle.ts";
import { toTransactionFilter } from "#lib/api/resources.ts";

export const GET = handleExport(operation, "transactions", ({ query }) =>
  toTransactionsTable(toTransactionFilter(query)),
);
