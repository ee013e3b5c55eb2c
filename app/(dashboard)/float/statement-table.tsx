"use client";

import { chooseColumns } from "../../list/look.ts";
import type { Look } from "../../list/look.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Elements } from "../../ui/elements.ts";
import { FLOAT_COLUMNS } from "./float-columns.tsx";
import type { StatementRow } from "./float-columns.tsx";

/** The lines of the float's statement. */
export function StatementTable({
  entries,
  empty,
  look,
}: {
  entries: readonly StatementRow[];
  empty: Elements;
  look: Look;
}) {
  return (
    <DataTable
      columns={chooseColumns(FLOAT_COLUMNS, look)}
      density={look.density}
      empty={empty}
      idOf={({ id }) => id}
      items={entries}
      label="Statement"
    />
  );
}
