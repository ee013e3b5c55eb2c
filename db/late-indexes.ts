import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";

/**
 * Builds the indexes that are too large to build inside a migration, while other sessions read and write. Each file of the
 * folder is one statement and named after its index. An index whose build was interrupted is built again. Call it in one
 * process at a time.
 */
export async function buildLateIndexes(client: Sql, folder: string): Promise<void> {
  // Read within the turn: an index that another process has just built must not be dropped.
  for (const name of await findMissing(client, folder)) {
    await client`drop index concurrently if exists ${client(name)}`;
    await client.unsafe(readFileSync(path.join(folder, `${name}.sql`), "utf8"));
  }
}

/** The indexes of the folder that the database lacks, or whose build was interrupted. */
export async function findMissing(client: Sql, folder: string): Promise<string[]> {
  const names = readdirSync(folder).map((file) => path.basename(file, ".sql"));
  const built = await client<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisvalid and c.relname = any(${names}) and c.relnamespace = 'public'::regnamespace`;
  return names.filter((name) => built.every((index) => index.name !== name));
}
