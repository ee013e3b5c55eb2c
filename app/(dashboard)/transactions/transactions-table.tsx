"use client";

import { TransactionAmount } from "../../transaction/transaction-amount.tsx";
import type { Amounts } from "../../transaction/transaction-words.ts";
import { CardName } from "../../ui/card-name.tsx";
import type { Elements } from "../../ui/elements.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column, Row } from "../../ui/data-table.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { TransactionStatusLabel } from "../../ui/transaction-status.tsx";
import type { TransactionStatus, TransactionType } from "#lib/transactions/transaction-kinds.ts";

const COLUMNS: readonly Column[] = [
  { id: "what", name: "Description", narrow: "below" },
  { id: "card", name: "Card", narrow: "below", yields: "second", isCut: true },
  { id: "status", name: "Status", narrow: "below" },
  { id: "at", name: "Date", align: "end", narrow: "below" },
  { id: "amount", name: "Amount", align: "end", narrow: "beside" },
];

/** A transaction as the list shows it. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface TransactionRow extends Amounts {
  id: string;
  name: string;
  /** What happened, in words. */
  title: string;
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
      label="Transactions"
      rows={transactions.map(toRow)}
    />
  );
}

function toRow(transaction: TransactionRow): Row {
  const { id, name, title, about, card, type, status, createdAt } = transaction;
  return {
    id,
    href: `/transactions/${id}`,
    text: `${name} ${title}`,
    cells: [
      <RowName about={about} key="what" name={name} />,
      card && <CardName card={card} key="card" />,
      <TransactionStatusLabel key="status" status={status} type={type} />,
      <TimeText at={createdAt} key="at" />,
      <TransactionAmount
        key="amount"
        merchantMoney={transaction.merchantMoney}
        transaction={transaction}
      />,
    ],
  };
}
