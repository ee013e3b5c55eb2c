import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";
import { SelectAll, SelectRow } from "./row-selection.tsx";
import type { RowSelection } from "./row-selection.tsx";
import { TableRows } from "./table-rows.tsx";

const NARROW = {
  beside: "beside",
  below: "",
  spare: "spare",
  hidden: "wide",
  roomy: "roomy",
} as const;
const YIELDS = { first: "yields-first", second: "yields" } as const;

/** A column of a list's items. The first one names the row. */
export interface Column<Item> {
  id: string;
  name: string;
  cell: (item: Item) => ReactNode;
  align?: "end";
  /**
   * Where its cells go on narrow screens, where a row takes two lines: `beside` the name, in the line `below` it, or
   * nowhere (`hidden`). A `spare` column goes below, and is omitted if the line has no room for it. A `roomy` column
   * is shown only if there is room for more than the usual columns.
   */
  narrow: keyof typeof NARROW;
  /**
   * When it is hidden while a record is open beside the list: before the other columns, or only if hiding those is
   * not enough.
   */
  yields?: keyof typeof YIELDS;
  /** Whether it is hidden until somebody chooses it. */
  isExtra?: true;
  /**
   * Whether its text has no limit. The column then shares with the name the space that the other columns leave, and
   * is truncated.
   */
  isCut?: true;
}

/**
 * Items of one kind in plain elements, which cost a fraction of a component per cell. With `hrefOf`, the first cell
 * of a row is a link that covers it. Links work before any script has loaded; after that, arrow keys move between
 * rows.
 */
export function DataTable<Item>({
  label,
  columns,
  items,
  idOf,
  hrefOf,
  empty,
  density,
  selection,
}: {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  /** The record's id. */
  idOf: (item: Item) => string;
  hrefOf?: (item: Item) => string | undefined;
  empty: Elements;
  /** The height of rows: easy to press by default, or compact. */
  density?: "compact" | undefined;
  selection?: RowSelection<Item>;
}) {
  if (items.length === 0) {
    return empty;
  }
  const ids = items.map(idOf);
  // Computed once for all rows, because every cost per row adds to the page's.
  const classes = columns.map(toClass);
  return (
    <div className="table-frame">
      <table
        aria-label={label}
        className={density === undefined ? "data-table" : `data-table ${density}`}
      >
        <thead>
          <tr>
            {selection && <SelectAll ids={ids} selection={selection} />}
            {columns.map(({ id, name }, index) => (
              <th className={classes[index]} key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <TableRows>
          {items.map((item) => (
            <tr
              data-id={idOf(item)}
              data-selected={selection?.selected.has(idOf(item)) || undefined}
              key={idOf(item)}
            >
              {selection && (
                <SelectRow
                  id={idOf(item)}
                  ids={ids}
                  name={selection.nameOf(item)}
                  selection={selection}
                />
              )}
              {toCells(columns, item, { classes, href: hrefOf?.(item) })}
            </tr>
          ))}
        </TableRows>
      </table>
    </div>
  );
}

function toCells<Item>(
  columns: readonly Column<Item>[],
  item: Item,
  { classes, href }: { classes: readonly (string | undefined)[]; href: string | undefined },
): Elements {
  return columns.map(({ id, cell }, index) =>
    index === 0 ? (
      <th className="name" key={id} scope="row">
        {toLink(href, cell(item))}
      </th>
    ) : (
      <td className={classes[index]} key={id}>
        {cell(item)}
      </td>
    ),
  );
}

function toLink(href: string | undefined, name: ReactNode): ReactNode {
  return href === undefined ? (
    name
  ) : (
    <a className="row-link" href={href}>
      {name}
    </a>
  );
}

function toClass({
  align,
  narrow,
  yields,
  isCut,
}: Pick<Column<never>, "align" | "narrow" | "yields" | "isCut">): string | undefined {
  const classes = [align, NARROW[narrow], yields && YIELDS[yields], isCut && "cut"].filter(Boolean);
  return classes.join(" ") || undefined;
}
