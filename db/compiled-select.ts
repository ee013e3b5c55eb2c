import { Column, getTableColumns, is, Param, Placeholder, SQL, Table } from "drizzle-orm";
import type { Query } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/pg-core";
import type { ParameterOrJSON, Sql } from "postgres";
import type { Db } from "./client.ts";
import type { Tx } from "./transaction.ts";

/** A select of the query builder, before it runs. */
interface Select {
  readonly _: { readonly result: unknown; readonly selectedFields: unknown };
  toSQL(): Query;
}

/** A select with placeholders for everything that differs between calls. */
interface Compilable<Built extends Select> {
  /**
   * Identifies the statement's text: a name, plus everything that changes the text and not only a value. Undefined
   * for a statement that is built anew for each call, with values in it.
   */
  key: string | undefined;
  build: (builder: QueryBuilder) => Built;
  values: Readonly<Record<string, unknown>>;
}

/** Where a column's value goes in its row, and how to decode the driver's value. */
interface Cell {
  table: string | undefined;
  name: string;
  decode: (value: never) => unknown;
}

/** Reads a parameter's value from the values of one call. */
type Reader = (values: Readonly<Record<string, unknown>>) => unknown;

interface Compiled {
  text: string;
  readers: readonly Reader[];
  cells: readonly Cell[];
}

/** A safeguard: callers have a fixed number of texts. */
const COMPILED_MAX = 2_000;

const builder = new QueryBuilder();
const compiled = new Map<string, Compiled>();
let isChecked = false;

/**
 * Runs a select. It is built only once per key, because building takes longer than everything else that a read does
 * here.
 * @throws Error when a statement with a key contains values: later calls would reuse those of the first.
 */
export async function runSelect<Built extends Select>(
  db: Db | Tx,
  select: Compilable<Built>,
): Promise<Built["_"]["result"]> {
  const { text, readers, cells } = compile(select);
  // A query of the builder is sent one turn after it is awaited. Without this turn, this one would overtake those begun
  // before it in a pipeline, such as the lock under which it must read.
  await Promise.resolve();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- encoded for the driver.
  const parameters = readers.map((read) => read(select.values)) as ParameterOrJSON<never>[];
  const rows = await toClient(db).unsafe(text, parameters).values();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the cells are those of the selected fields.
  return rows.map((row) => toRow(cells, row)) as Built["_"]["result"];
}

/**
 * The driver's client underneath the query builder: going through the builder would cost more than the statement
 * itself.
 */
function toClient({ _: { session } }: Db | Tx): Sql {
  // Not `instanceof`: a page has its own copy of drizzle-orm, and a database that Node's copy opened.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (session as unknown as { client: Sql }).client;
}

/** Which of these values are present, in a fixed order: for the key of a select whose conditions depend on them. */
export function toPresentNames(values: Readonly<Record<string, unknown>>): string {
  return Object.keys(values)
    .filter((name) => values[name] !== undefined && values[name] !== "")
    .join(" ");
}

/**
 * From now on, builds every statement again and compares it with the cached one. Tests use this to find incomplete
 * keys.
 */
export function checkCompiledSelects(): void {
  isChecked = true;
}

function compile({ key, build }: Compilable<Select>): Compiled {
  const known = key === undefined ? undefined : compiled.get(key);
  if (known && !isChecked) {
    return known;
  }
  const select = build(builder);
  const query = select.toSQL();
  const made = {
    text: query.sql,
    readers: query.params.map(toReader),
    cells: toCells(select._.selectedFields),
  };
  if (key !== undefined) {
    requireReusable(key, query, known);
    if (compiled.size < COMPILED_MAX) {
      compiled.set(key, made);
    }
  }
  return made;
}

function requireReusable(key: string, query: Query, known: Compiled | undefined): void {
  if (!query.params.every((parameter) => is(toContent(parameter), Placeholder))) {
    throw new Error(`The select "${key}" contains a value; only placeholders can be reused.`);
  }
  if (known && known.text !== query.sql) {
    throw new Error(`The key "${key}" stands for two selects.`);
  }
}

/** Like `fillPlaceholders` of drizzle-orm, but inspects a parameter's class once instead of on every call. */
function toReader(parameter: unknown): Reader {
  const encode = is(parameter, Param)
    ? (value: unknown) => parameter.encoder.mapToDriverValue(value)
    : (value: unknown) => value;
  const content = toContent(parameter);
  if (!is(content, Placeholder)) {
    return () => encode(content);
  }
  const { name } = content;
  return (values) => {
    if (!(name in values)) {
      throw new Error(`The placeholder "${name}" has no value.`);
    }
    return encode(values[name]);
  };
}

/** Unwraps a parameter's value, which may have an encoder around it. */
function toContent(parameter: unknown): unknown {
  return is(parameter, Param) ? parameter.value : parameter;
}

/** Lists the cells in the query builder's order. */
function toCells(fields: unknown, table?: string): Cell[] {
  return Object.entries(fields ?? {}).flatMap(([name, field]): Cell[] => {
    if (is(field, Table)) {
      return toCells(getTableColumns(field), name);
    }
    if (is(field, Column)) {
      return [{ table, name, decode: (value) => field.mapFromDriverValue(value) }];
    }
    if (is(field, SQL)) {
      return [{ table, name, decode: (value) => value }];
    }
    if (table === undefined && isListing(field)) {
      return toCells(field, name);
    }
    throw new Error(`The selected field "${name}" is neither a column, columns, a table, nor SQL.`);
  });
}

/** Whether a field lists columns by name, as part of a table. */
function isListing(field: unknown): boolean {
  return (
    typeof field === "object" && field !== null && Object.getPrototypeOf(field) === Object.prototype
  );
}

function toRow(cells: readonly Cell[], values: readonly unknown[]): unknown {
  const row: Record<string, unknown> = {};
  let table: string | undefined;
  let target = row;
  // Not `entries()`, which makes an array per cell: a list has thousands of cells.
  let index = 0;
  for (const cell of cells) {
    if (cell.table !== table && cell.table !== undefined) {
      table = cell.table;
      target = {};
      row[table] = target;
    }
    const value = values[index];
    index += 1;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver's value of this column.
    target[cell.name] = value === null ? null : cell.decode(value as never);
  }
  return row;
}
