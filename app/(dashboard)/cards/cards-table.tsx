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
import type { BulkTarget } from "./bulk/bulk-target.ts";
import { useSelection } from "./bulk/use-selection.ts";
import type { Matching } from "./bulk/use-selection.ts";

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
  matching,
  disabledReason,
}: {
  cards: readonly CardRow[];
  empty: Elements;
  filters: Elements;
  notice: Elements;
  pager: Elements;
  matching: Matching;
  /** Why this person may not change cards; null if they may. */
  disabledReason: string | null;
}) {
  const selection = useSelection(cards, matching);
  const [bulk, setBulk] = useState<{ act: BulkAct; target: BulkTarget } | null>(null);
  const select = (ids: ReadonlySet<string>) => {
    BulkDialog.preload();
    selection.select(ids);
  };
  return (
    <section
      aria-label="Cards"
      className="border-border bg-surface min-w-0 overflow-clip rounded-lg border"
    >
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
        {selection.ids.size > 0 ? (
          <BulkBar
            disabledReason={disabledReason}
            exportHref={selection.exportHref}
            onAct={(act) => setBulk({ act, target: selection.target })}
            onClear={selection.clear}
            selectAll={selection.selectAll}
            words={selection.words}
          />
        ) : (
          <>
            {filters}
            <ExportCsv href={matching.exportHref} />
          </>
        )}
      </div>
      {notice}
      <DataTable
        columns={COLUMNS}
        empty={empty}
        label="Cards"
        rows={cards.map(toRow)}
        selection={{ selected: selection.ids, onChange: select }}
      />
      {pager}
      {bulk && <BulkDialog {...bulk} onClose={() => setBulk(null)} />}
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
