import type { Column } from "../ui/data-table.tsx";

/** How a list looks: members of its URL in addition to its filters. */
export interface Look {
  /** The ids of the columns, separated by commas. */
  columns?: string | undefined;
  density?: "compact" | undefined;
}

/**
 * The columns to show, in the order in which they were chosen. The first one names the row, so it always stays. If
 * there is only room for the usual number of columns, the last added ones are hidden.
 */
export function chooseColumns<Item>(
  [name, ...others]: readonly Column<Item>[],
  { columns }: Look,
): readonly Column<Item>[] {
  const usual = others.filter(({ isExtra }) => !isExtra);
  const chosen =
    columns?.split(",").flatMap((id) => others.find((column) => column.id === id) ?? []) ?? usual;
  const room = chosen.filter(({ isExtra }) => isExtra).length - (chosen.length - usual.length);
  const yielding = new Set(chosen.filter(({ isExtra }) => isExtra).slice(Math.max(room, 0)));
  const shown = chosen.map((column): Column<Item> =>
    yielding.has(column) ? { ...column, narrow: "roomy" } : column,
  );
  return name ? [name, ...shown] : shown;
}
