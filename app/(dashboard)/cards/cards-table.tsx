"use client";

import { useState } from "react";
import type { Elements } from "../../ui/elements.ts";
import { fetched } from "../../client/fetched.tsx";
import { CardName } from "../../ui/card-name.tsx";
import { CardStatusLabel } from "../../ui/card-status.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column, Row } from "../../ui/data-table.tsx";
import { ExportCsv } from "../../client/export-csv.tsx";
import { Money } from "../../ui/money.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import type { BulkAct, BulkCard } from "./bulk/bulk-card.ts";

const BulkBar = fetched(
  () => import("./bulk/bulk-bar.tsx").then((loaded) => loaded.BulkBar),
  <div className="h-8" />,
);
const BulkDialog = fetched(() =>
  import("./bulk/bulk-dialog.tsx").then((loaded) => loaded.BulkDialog),
);

const COLUMNS: readonly Column[] = [
  { id: "card", name: "Card", narrow: "below" },
  { id: "status", name: "Status", narrow: "below" },
  { id: "balance", name: "Balance", align: "end", narrow: "beside" },
  { id: "available", name: "Available", align: "end", narrow: "hidden", yields: "second" },
  { id: "created", name: "Created", align: "end", narrow: "below", yields: "first" },
];

/** A card as the list shows it. Sent as data, because rendered cells are sent twice: as HTML and as elements. */
export interface CardRow extends BulkCard {
  currency: string;
  /** In minor units, as is `available`. */
  balance: number;
  available: number;
  /** ISO 8601. */
  createdAt: string;
}

/** The list of cards. Selecting cards offers actions on all of them. */
export function CardsTable({
  cards,
  empty,
  filters,
  notice,
  pager,
  exportHref,
  disabledReason,
}: {
  cards: readonly CardRow[];
  empty: Elements;
  filters: Elements;
  notice: Elements;
  pager: Elements;
  exportHref: string;
  /** Why this person may not change cards; null if they may. */
  disabledReason: string | null;
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = cards.filter(({ id }) => selected.has(id));
  const [bulk, setBulk] = useState<{ act: BulkAct; cards: readonly BulkCard[] } | null>(null);
  const select = (ids: ReadonlySet<string>) => {
    BulkDialog.preload();
    setSelected(ids);
  };
  const close = (isDone: boolean) => {
    setBulk(null);
    if (isDone) {
      setSelected(new Set());
    }
  };
  return (
    <section
      aria-label="Cards"
      className="border-border bg-surface min-w-0 overflow-clip rounded-lg border"
    >
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
        {chosen.length > 0 ? (
          <BulkBar
            cards={chosen}
            disabledReason={disabledReason}
            onAct={(act) => setBulk({ act, cards: chosen })}
            onClear={() => setSelected(new Set())}
          />
        ) : (
          <>
            {filters}
            <ExportCsv href={exportHref} />
          </>
        )}
      </div>
      {notice}
      <DataTable
        columns={COLUMNS}
        empty={empty}
        label="Cards"
        rows={cards.map(toRow)}
        selection={{ selected: new Set(chosen.map(({ id }) => id)), onChange: select }}
      />
      {pager}
      {bulk && <BulkDialog {...bulk} onClose={close} />}
    </section>
  );
}

function toRow({ id, name, last4, status, currency, balance, available, createdAt }: CardRow): Row {
  return {
    id,
    href: `/cards/${id}`,
    text: `${name} ${last4}`,
    cells: [
      <CardName card={{ cardName: name, last4 }} key="card" />,
      <CardStatusLabel key="status" status={status} />,
      <Money amount={balance} currency={currency} key="balance" />,
      <Money amount={available} currency={currency} key="available" />,
      <TimeText at={createdAt} key="created" />,
    ],
  };
}
