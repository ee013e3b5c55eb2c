"use client";

import { useState } from "react";
import type { Elements } from "../../ui/elements.ts";
import { fetched } from "../../client/fetched.tsx";
import { CardName } from "../../ui/card-name.tsx";
import { CardStatusLabel } from "../../ui/card-status.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
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

const COLUMNS: readonly Column<CardRow>[] = [
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
  bar,
  notes,
  pager,
  matching,
  disabledReason,
}: {
  cards: readonly CardRow[];
  empty: Elements;
  /** What narrows the list down. */
  bar: Elements;
  notes: Elements;
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
            {bar}
            <ExportCsv href={matching.exportHref} />
          </>
        )}
      </div>
      {notes}
      <DataTable
        columns={COLUMNS}
        empty={empty}
        hrefOf={({ id }) => `/cards/${id}`}
        idOf={({ id }) => id}
        items={cards}
        label="Cards"
        selection={{
          selected: selection.ids,
          onChange: select,
          nameOf: ({ name, last4 }) => `${name} ${last4}`,
        }}
      />
      {pager}
      {bulk && <BulkDialog {...bulk} onClose={() => setBulk(null)} />}
    </section>
  );
}
