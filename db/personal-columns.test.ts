import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { is } from "drizzle-orm";
import { PgTable, getTableConfig, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import drizzleConfig from "#drizzle.config.ts";
import { ROOT } from "./root.ts";
import { APPEND_ONLY } from "./schema/append-only.ts";
import { IMPERSONAL_COLUMNS, PERSONAL_COLUMNS } from "./schema/personal-values.ts";

/** `table.column` of every column in which text can be stored, as the schema has it. */
function toTextColumns(tables: readonly PgTable[]): string[] {
  return tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns
      .filter((column) => /text|json/u.test(column.getSQLType()) && !column.enumValues?.length)
      .map((column) => `${name}.${column.name}`);
  });
}

function toListed(lists: Readonly<Record<string, string>>): string[] {
  return Object.entries(lists).flatMap(([table, names]) =>
    names.split(" ").map((name) => `${table}.${name}`),
  );
}

const personal = toListed(PERSONAL_COLUMNS);
const declared = [...personal, ...toListed(IMPERSONAL_COLUMNS)];

async function readTables(): Promise<PgTable[]> {
  const modules: Record<string, unknown>[] = await Promise.all(
    globSync(String(drizzleConfig.schema), { cwd: ROOT }).map(
      (file) => import(pathToFileURL(path.join(ROOT, file)).href),
    ),
  );
  return modules.flatMap((module) =>
    Object.values(module).filter((value): value is PgTable => is(value, PgTable)),
  );
}

describe("every column of text or JSON", () => {
  test("says once whether it may hold a cardholder's personal values", async () => {
    const columns = toTextColumns(await readTables());
    expect(declared.toSorted()).toEqual(columns.toSorted());
  });

  test("and one that does not say is found", () => {
    const planted = pgTable("planted", { id: uuid("id"), note: text("note") });
    expect(toTextColumns([planted]).filter((name) => !declared.includes(name))).toEqual([
      "planted.note",
    ]);
  });
});

test("no row that never changes has a column for a cardholder's values", () => {
  expect(Object.keys(PERSONAL_COLUMNS).filter((table) => APPEND_ONLY.includes(table))).toEqual([]);
});
