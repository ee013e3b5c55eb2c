import type { Column } from "../ui/data-table.tsx";

/** How a list looks: members of its URL beside its filters. */
export interface Look {
  /** The ids of the columns, separated by commas. */
  columns?: string | undefined;
  density?: "compact" | undefined;
}

/** The columns to show, in the order in which they were chosen. The first one names the row, so it always stays. */
export function chooseColumns<Item>(
  [name, ...others]: readonly Column<Item>[],
  { columns }: Look,
): readonly Column<Item>[] {
  const chosen =
    columns === undefined
      ? others.filter(({ isExtra }) => !isExtra)
      : columns.split(",").flatMap((id) => others.find((column) => column.id === id) ?? []);
  return name ? [name, ...chosen] : chosen;
}
