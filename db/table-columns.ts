import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Columns } from "#db/insert-rows.ts";

/** How `insertRows` sends the columns of each type of PostgreSQL. */
const SENT_AS = {
  bigint: "bigint",
  boolean: "boolean",
  jsonb: "jsonb",
  text: "text",
  "timestamp (3) with time zone": "timestamptz",
  uuid: "uuid",
} as const;

const isSent = (type: string): type is keyof typeof SENT_AS => type in SENT_AS;

/** All columns of a table, for `insertRows`. */
export function toInsertColumns<Row extends object>(table: PgTable): Columns<Row> {
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const type = column.getSQLType();
    if (!isSent(type)) {
      throw new Error(`insertRows sends no ${type}.`);
    }
    return [column.name, [SENT_AS[type], (row: Row) => Reflect.get(row, name)]] as const;
  });
  return Object.fromEntries(columns);
}

type Nullable<Row> = { [Name in keyof Row as null extends Row[Name] ? Name : never]: null };

/** Null for each column of a table that may be null. */
export function toEmptyColumns<Table extends PgTable>(
  table: Table,
): Nullable<Table["$inferSelect"]> {
  const names = Object.entries(getTableColumns(table)).flatMap(([name, { notNull }]) =>
    notNull ? [] : [[name, null]],
  );
  // The table's type says the same of each.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(names) as Nullable<Table["$inferSelect"]>;
}
