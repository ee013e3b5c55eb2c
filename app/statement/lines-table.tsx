"use client";

import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import type { Elements } from "../ui/elements.ts";
import { Link } from "../ui/link.tsx";
import { Money } from "../ui/money.tsx";
import { RowName } from "../ui/row-name.tsx";

/** A line of a statement. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface LineRow {
  version: number;
  description: string;
  narrative: string | null;
  /** The card on the other side of a float's line. */
  card: { id: string; cardName: string } | null;
  transactionId: string | null;
  /** ISO 8601, and in words. */
  at: string;
  day: string;
  /** When it happened by the network's clock. */
  occurred: { at: string; day: string } | null;
  /** In minor units, as is `balanceAfter`. */
  net: number;
  balanceAfter: number;
  currency: string;
}

const WHAT: Column<LineRow> = {
  id: "what",
  name: "Description",
  narrow: "below",
  cell: ({ narrative, description }) => <RowName about={narrative ?? ""} name={description} />,
};
const CARD: Column<LineRow> = {
  id: "card",
  name: "Cardholder",
  narrow: "below",
  isCut: true,
  cell: ({ card }) =>
    card && (
      <Link href={`/cards/${card.id}`}>
        <bdi className="block truncate">{card.cardName}</bdi>
      </Link>
    ),
};
const FIGURES: readonly Column<LineRow>[] = [
  {
    id: "at",
    name: "Posted",
    align: "end",
    narrow: "below",
    cell: ({ at, day, occurred }) => (
      <>
        <time className="whitespace-nowrap" dateTime={at}>
          {day}
        </time>
        {occurred && (
          <time className="text-muted block text-xs whitespace-nowrap" dateTime={occurred.at}>
            {`Network: ${occurred.day}`}
          </time>
        )}
      </>
    ),
  },
  {
    id: "net",
    name: "Amount",
    align: "end",
    narrow: "beside",
    cell: ({ net, currency }) => <Money amount={net} currency={currency} signed />,
  },
  {
    id: "balance",
    name: "Balance",
    align: "end",
    narrow: "hidden",
    cell: ({ balanceAfter, currency }) => <Money amount={balanceAfter} currency={currency} />,
  },
];

/** The lines of a statement, oldest first. */
export function LinesTable({
  lines,
  hasCards,
  empty,
}: {
  lines: readonly LineRow[];
  /** Whether lines are about different cards, as the float's are. */
  hasCards: boolean;
  empty: Elements;
}) {
  return (
    <DataTable
      columns={[WHAT, ...(hasCards ? [CARD] : []), ...FIGURES]}
      empty={empty}
      label="Lines"
      hrefOf={({ transactionId }) =>
        transactionId === null ? undefined : `/transactions/${transactionId}`
      }
      idOf={({ version }) => String(version)}
      items={lines}
    />
  );
}
