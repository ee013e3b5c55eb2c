import { CardName } from "../../ui/card-name.tsx";
import { CardStatusLabel } from "../../ui/card-status.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { Money } from "../../ui/money.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import type { BulkCard } from "./bulk/bulk-card.ts";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";

/** A card as the list shows it. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface CardRow extends BulkCard {
  currency: string;
  /** In minor units, as is `available`. */
  balance: number;
  available: number;
  /** ISO 8601. */
  createdAt: string;
}

/** What the list can show of a card. */
export const CARD_COLUMNS: readonly Column<CardRow>[] = [
  {
    id: "card",
    name: "Card",
    narrow: "below",
    cell: ({ name, last4 }) => <CardName card={{ cardName: name, last4 }} />,
  },
  {
    id: "status",
    name: "Status",
    narrow: "below",
    cell: ({ status }) => <CardStatusLabel status={status} />,
  },
  {
    id: "balance",
    name: "Balance",
    align: "end",
    narrow: "beside",
    cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    id: "available",
    name: "Available",
    align: "end",
    narrow: "hidden",
    yields: "second",
    cell: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    id: "created",
    name: "Created",
    align: "end",
    narrow: "below",
    yields: "first",
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
  },
  {
    id: "held",
    name: "Held",
    align: "end",
    narrow: "hidden",
    yields: "first",
    isExtra: true,
    cell: ({ balance, available, currency }) => (
      <Money amount={balance - available} currency={currency} />
    ),
  },
  {
    id: "freeze",
    name: "Freeze reason",
    narrow: "below",
    yields: "first",
    isExtra: true,
    cell: ({ freeze }) => freeze?.reason && FREEZE_REASON_NAMES[freeze.reason],
  },
];
