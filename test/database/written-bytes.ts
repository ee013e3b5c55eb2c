import type { Sql } from "postgres";

/** What a change writes that is kept for ever. Beside these, saved responses and the log are removed after a while. */
const LASTING = new Set(["transfers", "entries", "transactions", "events", "audit_log"]);

/** Bytes on disk, with indexes. */
export interface WrittenBytes {
  lasting: number;
  all: number;
  /** By table. */
  tables: ReadonlyMap<string, number>;
}

/** How much the work adds to the tables, vacuumed before and after it. */
export async function measureWrittenBytes<T>(
  sql: Sql,
  work: () => Promise<T>,
): Promise<T & WrittenBytes> {
  await sql`vacuum`;
  const before = await readSizes(sql);
  const result = await work();
  await sql`vacuum`;
  const added = [...(await readSizes(sql))].map(([name, bytes]) => ({
    name,
    bytes: bytes - (before.get(name) ?? 0),
  }));
  const sum = (rows: typeof added) => rows.reduce((total, { bytes }) => total + bytes, 0);
  return {
    ...result,
    lasting: sum(added.filter(({ name }) => LASTING.has(name))),
    all: sum(added),
    tables: new Map(added.map(({ name, bytes }) => [name, bytes])),
  };
}

/** The bytes of each table, with its indexes. */
async function readSizes(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
