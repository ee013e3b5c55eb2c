"use client";

import { useState } from "react";
import type { ReactNode } from "react";
import { fetched } from "../../client/fetched.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { ExportCsv } from "../../ui/export-csv.tsx";
import type { BulkAct, BulkCard } from "./bulk/bulk-card.ts";
import type { CardRow } from "./card-row.ts";

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

/** The list of cards; selecting some of them offers what can be done to all of those at once. */
export function CardsTable({
  rows,
  empty,
  filters,
  notice,
  pager,
  exportHref,
  disabledReason,
}: {
  rows: readonly CardRow[];
  empty: ReactNode;
  filters: ReactNode;
  notice: ReactNode;
  pager: ReactNode;
  exportHref: string;
  /** Why this person may not change cards; null when they may. */
  disabledReason: string | null;
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const shown = rows.filter(({ id }) => selected.has(id));
  const cards = shown.map(({ card }) => card);
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
        {shown.length > 0 ? (
          <BulkBar
            cards={cards}
            disabledReason={disabledReason}
            onAct={(act) => setBulk({ act, cards })}
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
        rows={rows}
        selection={{ selected: new Set(shown.map(({ id }) => id)), onChange: select }}
      />
      {pager}
      {bulk && <BulkDialog {...bulk} onClose={close} />}
    </section>
  );
}
