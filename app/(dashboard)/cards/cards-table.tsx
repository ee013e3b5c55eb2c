"use client";

import { useState } from "react";
import type { ComponentProps } from "react";
import type { Elements } from "../../ui/elements.ts";
import { fetched } from "../../client/fetched.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ExportCsv } from "../../client/export-csv.tsx";
import { chooseColumns } from "../../list/look.ts";
import type { Look } from "../../list/look.ts";
import { CARD_COLUMNS } from "./cards-columns.tsx";
import type { CardRow } from "./cards-columns.tsx";
import type { BulkBar as BulkBarType } from "./bulk/bulk-bar.tsx";
import type { BulkAct } from "./bulk/bulk-card.ts";
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

/** The list of cards. Selecting cards offers actions on all of them. */
export function CardsTable({
  cards,
  empty,
  views,
  bar,
  notes,
  pager,
  matching,
  look,
  currency,
  disabledReasons,
}: {
  cards: readonly CardRow[];
  empty: Elements;
  views: Elements;
  /** What narrows the list down. */
  bar: Elements;
  notes: Elements;
  pager: Elements;
  matching: Matching;
  look: Look;
  currency: string;
  disabledReasons: ComponentProps<typeof BulkBarType>["disabledReasons"];
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
      {views}
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
        {selection.ids.size > 0 ? (
          <BulkBar
            disabledReasons={disabledReasons}
            onAct={(act) => setBulk({ act, target: selection.target })}
            selection={selection}
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
        columns={chooseColumns(CARD_COLUMNS, look)}
        density={look.density}
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
      {bulk && <BulkDialog {...bulk} currency={currency} onClose={() => setBulk(null)} />}
    </section>
  );
}
