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

const COLUMNS: readonly Column<Card>[] = [
  { id: "card", name: "Card", narrow: "below", cell: (card) => <CardName card={card} /> },
  {
    id: "status",
    name: "Status",
    narrow: "below",
    cell: ({ status, freeze }) => (
      <span className="flex min-w-0 items-center gap-2">
        <CardStatusLabel status={status} />
        {freeze?.reason && (
          <span className="text-muted truncate text-xs">{FREEZE_REASON_NAMES[freeze.reason]}</span>
        )}
      </span>
    ),
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
    cell: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    id: "lost",
    name: "Actions",
    align: "end",
    narrow: "below",
    cell: ({ id, last4, replacedBy }) =>
      replacedBy === null && (
        <LinkButton
          href={`/cards/${id}?act=lost`}
          label={`Lost or stolen: •••• ${last4}`}
          size="sm"
          variant="ghost"
        >
          Lost or stolen
        </LinkButton>
      ),
  },
];

/** The cardholder's newest cards. */
export function HolderCards({ cardholderId, cards }: { cardholderId: string; cards: Page<Card> }) {
  return (
    <Panel
      action={
        cards.rows.length > SHOWN && (
          <LinkButton href={toHref("/cards", { user_id: cardholderId })} size="sm" variant="ghost">
            See all
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
        hrefOf={({ id }) => `/cards/${id}`}
        idOf={({ id }) => id}
        items={cards.rows.slice(0, SHOWN)}
      />
    </Panel>
  );
}
