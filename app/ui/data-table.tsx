import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";
import { SelectAll, SelectRow } from "./row-selection.tsx";
import type { RowSelection } from "./row-selection.tsx";
import { TableRows } from "./table-rows.tsx";

const NARROW = { beside: "beside", below: "", hidden: "wide" } as const;
const YIELDS = { first: "yields-first", second: "yields" } as const;

/** A column. The first one names the row. */
export interface Column {
  id: string;
  name: string;
  align?: "end";
  /**
   * Where its cells go on narrow screens, where a row takes two lines: `beside` the name, in the line `below` it, or
   * nowhere (`hidden`).
   */
  narrow: keyof typeof NARROW;
  /**
   * Whether it is hidden while a record is open beside the list: before the other columns, or if hiding those is not
   * enough.
   */
  yields?: keyof typeof YIELDS;
  /** Its text has no limit: it shares the space that the other columns leave with the name, and is truncated. */
  isCut?: true;
}

/**
 * A row with its cells in the order of the columns. With `href`, its first cell is a link that covers the row. `id` is
 * the record's.
 */
export interface Row {
  id: string;
  href?: string;
  /** What the row's checkbox selects, in words. */
  text: string;
  cells: readonly ReactNode[];
}

/**
 * Rows of one kind in plain elements, which cost a fraction of a component per cell. Links work before any script has
 * loaded; after that, arrow keys move between rows.
 */
export function DataTable({
  label,
  columns,
  rows,
  empty,
  selection,
}: {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  empty: Elements;
  selection?: RowSelection;
}) {
  if (rows.length === 0) {
    return empty;
  }
  const ids = rows.map(({ id }) => id);
  // Computed once for all rows, because a page costs what each of its rows costs.
  const classes = columns.map(toClass);
  return (
    <div className="table-frame">
      <table aria-label={label} className="data-table">
        <thead>
          <tr>
            {selection && (
              <th className="pick" scope="col">
                <SelectAll ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column, index) => (
              <th className={classes[index]} key={column.id} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <TableRows>
          {rows.map((row) => (
            <tr
              data-id={row.id}
              data-selected={selection?.selected.has(row.id) || undefined}
              key={row.id}
            >
              {selection && (
                <td className="pick">
                  <SelectRow id={row.id} ids={ids} selection={selection} text={row.text} />
                </td>
              )}
              {columns.map(({ id }, index) =>
                index === 0 ? (
                  <th className="name" key={id} scope="row">
                    {toLink(row.href, row.cells[index])}
                  </th>
                ) : (
                  <td className={classes[index]} key={id}>
                    {row.cells[index]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </TableRows>
      </table>
    </div>
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

function toClass({ align, narrow, yields, isCut }: Column): string | undefined {
  const classes = [align, NARROW[narrow], yields && YIELDS[yields], isCut && "cut"].filter(Boolean);
  return classes.join(" ") || undefined;
}
