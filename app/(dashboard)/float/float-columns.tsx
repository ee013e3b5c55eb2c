import { CardName } from "../../ui/card-name.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Link } from "../../ui/link.tsx";
import { Money } from "../../ui/money.tsx";
import { RowName } from "../../ui/row-name.tsx";
import { TimeText } from "../../ui/time-text.tsx";

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

/** The columns that the list can show. */
export const FLOAT_COLUMNS: readonly Column<StatementRow>[] = [
  {
    id: "what",
    name: "Type",
    narrow: "below",
    cell: ({ narrative, name }) => <RowName about={narrative ?? ""} name={name} />,
  },
  {
    id: "card",
    name: "Card",
    narrow: "below",
    isCut: true,
    cell: ({ card }) =>
      card && (
        <Link href={`/cards/${card.id}`}>
          <CardName card={card} />
        </Link>
      ),
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
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} signed />,
  },
  {
    id: "balance",
    name: "Balance",
    align: "end",
    narrow: "hidden",
    cell: ({ balanceAfter, currency }) => <Money amount={balanceAfter} currency={currency} />,
  },
];
