"use client";

import { TransactionAmount } from "../../transaction/transaction-amount.tsx";
import type { Amounts } from "../../transaction/transaction-words.ts";
import { CardName } from "../../ui/card-name.tsx";
import type { Elements } from "../../ui/elements.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { TransactionStatusLabel } from "../../ui/transaction-status.tsx";
import type { TransactionStatus, TransactionType } from "#lib/transactions/transaction-kinds.ts";

const COLUMNS: readonly Column<TransactionRow>[] = [
  {
    id: "what",
    name: "Description",
    narrow: "below",
    cell: ({ about, name }) => <RowName about={about} name={name} />,
  },
  {
    id: "card",
    name: "Card",
    narrow: "below",
    yields: "second",
    isCut: true,
    cell: ({ card }) => card && <CardName card={card} />,
  },
  {
    id: "status",
    name: "Status",
    narrow: "below",
    cell: ({ status, type }) => <TransactionStatusLabel status={status} type={type} />,
  },
  {
    id: "at",
    name: "Date",
    align: "end",
    narrow: "below",
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
  },
  {
    id: "amount",
    name: "Amount",
    align: "end",
    narrow: "beside",
    cell: (transaction) => (
      <TransactionAmount merchantMoney={transaction.merchantMoney} transaction={transaction} />
    ),
  },
];

/** A transaction as the list shows it. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface TransactionRow extends Amounts {
  id: string;
  name: string;
  /** The title and the narrative, as far as the name does not contain them. */
  about: string;
  card: { cardName: string; last4: string } | null;
  type: TransactionType;
  status: TransactionStatus;
  merchantMoney: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** The rows of the list of transactions. */
export function TransactionsTable({
  transactions,
  empty,
}: {
  transactions: readonly TransactionRow[];
  empty: Elements;
}) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={empty}
      hrefOf={({ id }) => `/transactions/${id}`}
      idOf={({ id }) => id}
      items={transactions}
      label="Transactions"
    />
  );
}
