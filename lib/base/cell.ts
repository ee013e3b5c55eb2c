/**
 * A cell of a spreadsheet: text, a plain number, an amount (in minor units here, written in major units), a time, the
 * day of a time, or empty.
 */
export type Cell =
  | string
  | number
  | { amount: number; currency: string }
  | Date
  | { dayOf: Date }
  | null;

/** The columns of a spreadsheet by their headers, in order, each with its cell of a row. People read columns by position. */
export type Cells<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** The cells of a row. */
export function readCells<Row>(cells: Cells<Row>, row: Row): Cell[] {
  return Object.values(cells).map((read) => read(row));
}

/** An amount as a cell; empty if either is missing. */
export function moneyCell(amount: number | null, currency: string | null): Cell {
  return amount === null || currency === null ? null : { amount, currency };
}
