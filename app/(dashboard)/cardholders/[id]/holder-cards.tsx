import { CardStatusLabel } from "../../../ui/card-status.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Money } from "../../../ui/money.tsx";
import { toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { CardName } from "../../../ui/card-name.tsx";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { Page } from "#lib/base/paging.ts";

const SHOWN = 10;

const COLUMNS: readonly Column[] = [
  { id: "card", name: "Card", narrow: "below" },
  { id: "status", name: "Status", narrow: "below" },
  { id: "balance", name: "Balance", align: "end", narrow: "beside" },
  { id: "available", name: "Available", align: "end", narrow: "hidden" },
];

/** The cardholder's newest cards. */
export function HolderCards({ cardholderId, cards }: { cardholderId: string; cards: Page<Card> }) {
  const shown = cards.rows.slice(0, SHOWN);
  return (
    <Panel
      action={
        cards.rows.length > SHOWN && (
          <LinkButton href={toHref("/cards", { user_id: cardholderId })} size="sm" variant="ghost">
            View all cards
          </LinkButton>
        )
      }
      flush
      title="Cards"
    >
      <DataTable
        columns={COLUMNS}
        empty={
          <Empty title="No cards yet">This cardholder has no cards. Create the first one.</Empty>
        }
        label="Cards"
        rows={shown.map(toRow)}
      />
    </Panel>
  );
}

function toRow(card: Card) {
  return {
    id: card.id,
    href: `/cards/${card.id}`,
    text: `${card.cardName} ${card.last4}`,
    cells: [
      <CardName card={card} key="card" />,
      <span className="flex min-w-0 items-center gap-2" key="status">
        <CardStatusLabel status={card.status} />
        {card.freeze?.reason && (
          <span className="text-muted truncate text-xs">
            {FREEZE_REASON_NAMES[card.freeze.reason]}
          </span>
        )}
      </span>,
      <Money amount={card.balance} currency={card.currency} key="balance" />,
      <Money amount={card.available} currency={card.currency} key="available" />,
    ],
  };
}
