import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

type ColumnType =
  | "bigint"
  | "boolean"
  | "int"
  | "jsonb"
  | "smallint"
  | "text"
  | "timestamptz"
  | "uuid";

/** The columns to set, by name: the type, and the value in each row. A time is a Date, and JSON any value. */
export type Columns<Row> = Readonly<Record<string, readonly [ColumnType, (row: Row) => unknown]>>;

/** For types of which the driver sends no arrays: how to send the values, and how the statement converts them back. */
const CARRIERS: Partial<
  Record<
    ColumnType,
    { type: string; toSent: (value: unknown) => unknown; toRead: (sent: string) => string }
  >
> = {
  boolean: { type: "text", toSent: String, toRead: (sent) => `${sent}::boolean` },
  jsonb: { type: "text", toSent: JSON.stringify, toRead: (sent) => `${sent}::jsonb` },
  timestamptz: { type: "float8", toSent: Number, toRead: (sent) => `to_timestamp(${sent} / 1000)` },
};

/**
 * Inserts any number of rows with one parameter for each column, so that the statement's text does not depend on
 * their number. Columns that are null in every row are left out: a credit uses few of the columns that a purchase
 * uses. The statement ends after `from unnest(…) as row (…)`, so that a join, `on conflict`, or `returning` may
 * follow.
 */
export function insertRows<Row>(table: string, rows: readonly Row[], columns: Columns<Row>): SQL {
  const given = Object.entries(columns)
    .map(([name, [type, read]]) => ({ name, type, values: rows.map(read) }))
    .filter(({ values }) => values.some((value) => value !== null));
  const selected = given.map(
    ({ name, type }) => CARRIERS[type]?.toRead(`row.${name}`) ?? `row.${name}`,
  );
  const parameters = given.map(({ type, values }) => {
    const carrier = CARRIERS[type];
    const sent = carrier
      ? values.map((value) => (value === null ? null : carrier.toSent(value)))
      : values;
    return sql`${sql.param(sent)}::${sql.raw(carrier?.type ?? type)}[]`;
  });
  const list = given.map(({ name }) => name).join(", ");
  return sql`${sql.raw(`insert into ${table} (${list}) select ${selected.join(", ")} from unnest(`)}${sql.join(parameters, COMMA)}${sql.raw(`) as row (${list})`)}`;
}

const COMMA = sql`, `;
