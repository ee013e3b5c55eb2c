"use client";

import { DataTable } from "../ui/data-table.tsx";
import type { Column, Row } from "../ui/data-table.tsx";
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
  /** In minor units, as is `balanceAfter`. */
  net: number;
  balanceAfter: number;
  currency: string;
}

const WHAT: Column = { id: "what", name: "Description", narrow: "below" };
const CARD: Column = { id: "card", name: "Cardholder", narrow: "below", isCut: true };
const FIGURES: readonly Column[] = [
  { id: "at", name: "Posted", align: "end", narrow: "below" },
  { id: "net", name: "Amount", align: "end", narrow: "beside" },
  { id: "balance", name: "Balance", align: "end", narrow: "hidden" },
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
      rows={lines.map((line) => toRow(line, hasCards))}
    />
  );
}

function toRow(line: LineRow, hasCards: boolean): Row {
  const { version, description, narrative, card, transactionId, at, day, currency } = line;
  return {
    id: String(version),
    ...(transactionId === null ? {} : { href: `/transactions/${transactionId}` }),
    text: description,
    cells: [
      <RowName about={narrative ?? ""} key="what" name={description} />,
      ...(hasCards ? [card && <CardCell card={card} key="card" />] : []),
      <time className="whitespace-nowrap" dateTime={at} key="at">
        {day}
      </time>,
      <Money amount={line.net} currency={currency} key="net" signed />,
      <Money amount={line.balanceAfter} currency={currency} key="balance" />,
    ],
  };
}

function CardCell({ card }: { card: NonNullable<LineRow["card"]> }) {
  return (
    <Link href={`/cards/${card.id}`}>
      <bdi className="block truncate">{card.cardName}</bdi>
    </Link>
  );
}
