"use client";

import { Link } from "../../ui/link.tsx";
import { CardName } from "../../ui/card-name.tsx";
import type { Elements } from "../../ui/elements.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column, Row } from "../../ui/data-table.tsx";
import { Money } from "../../ui/money.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { TimeText } from "../../ui/time-text.tsx";

const COLUMNS: readonly Column[] = [
  { id: "what", name: "Type", narrow: "below" },
  { id: "card", name: "Card", narrow: "below", isCut: true },
  { id: "at", name: "Date", align: "end", narrow: "below" },
  { id: "amount", name: "Amount", align: "end", narrow: "beside" },
  { id: "balance", name: "Balance", align: "end", narrow: "hidden" },
];

/** A line of the statement. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface StatementRow {
  id: string;
  name: string;
  narrative: string | null;
  card: { id: string; cardName: string; last4: string } | null;
  /** ISO 8601. */
  createdAt: string;
  /** In minor units, as is `balanceAfter`. */
  amount: number;
  balanceAfter: number;
  currency: string;
}

/** The lines of the float's statement. */
export function StatementTable({
  entries,
  empty,
}: {
  entries: readonly StatementRow[];
  empty: Elements;
}) {
  return <DataTable columns={COLUMNS} empty={empty} label="Statement" rows={entries.map(toRow)} />;
}

function toRow(entry: StatementRow): Row {
  const { id, name, narrative, card, createdAt, amount, balanceAfter, currency } = entry;
  return {
    id,
    text: name,
    cells: [
      <RowName about={narrative ?? ""} key="what" name={name} />,
      card && (
        <Link href={`/cards/${card.id}`} key="card">
          <CardName card={card} />
        </Link>
      ),
      <TimeText at={createdAt} key="at" />,
      <Money amount={amount} currency={currency} key="amount" signed />,
      <Money amount={balanceAfter} currency={currency} key="balance" />,
    ],
  };
}
