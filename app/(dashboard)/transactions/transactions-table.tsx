"use client";

import { chooseColumns } from "../../list/look.ts";
import type { Look } from "../../list/look.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Elements } from "../../ui/elements.ts";
import { TRANSACTION_COLUMNS } from "./transactions-columns.tsx";
import type { TransactionRow } from "./transactions-columns.tsx";

/** The rows of the list of transactions. */
export function TransactionsTable({
  transactions,
  empty,
  look,
}: {
  transactions: readonly TransactionRow[];
  empty: Elements;
  look: Look;
}) {
  return (
    <DataTable
      columns={chooseColumns(TRANSACTION_COLUMNS, look)}
      density={look.density}
      empty={empty}
      hrefOf={({ id }) => `/transactions/${id}`}
      idOf={({ id }) => id}
      items={transactions}
      label="Transactions"
    />
  );
}
