import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { LOCK_TIMEOUT_MS } from "./lock-wait.ts";
import { timeLimit } from "./time-limits.ts";

/**
 * Builds the indexes that are too large to build inside a migration, while other sessions read and write. Each file
 * of the folder is one statement and named after its index. An index whose build was interrupted is built again. Call
 * it in one process at a time.
 */
export async function buildLateIndexes(client: Sql, folder: string): Promise<void> {
  // Read within the turn: an index that another process has just built must not be dropped.
  for (const name of await findMissing(client, folder)) {
    await build(client, name, readFileSync(path.join(folder, `${name}.sql`), "utf8"));
  }
}

/**
 * Builds one index while other sessions read and write, unless it is there. What an interrupted build left is removed.
 * @param statement creates it CONCURRENTLY.
 */
export async function buildIndex(client: Sql, name: string, statement: string): Promise<void> {
  const valid = await findValid(client, [name]);
  if (valid.length === 0) {
    await build(client, name, statement);
  }
}

async function build(client: Sql, name: string, statement: string): Promise<void> {
  // The build waits for transactions that began before it, and blocks no one in the meantime.
  await setLockTimeout(client, timeLimit("lateIndex"));
  try {
    await client`drop index concurrently if exists ${client(name)}`;
    await client.unsafe(statement);
  } finally {
    await setLockTimeout(client, LOCK_TIMEOUT_MS);
  }
}

/** The indexes of the folder that the database lacks, or whose build was interrupted. */
export async function findMissing(client: Sql, folder: string): Promise<string[]> {
  const names = readdirSync(folder).map((file) => path.basename(file, ".sql"));
  const built = await findValid(client, names);
  return names.filter((name) => built.every((index) => index.name !== name));
}

function findValid(client: Sql, names: readonly string[]): PromiseLike<{ name: string }[]> {
  return client<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisvalid and c.relname = any(${[...names]}) and c.relnamespace = 'public'::regnamespace`;
}

async function setLockTimeout(client: Sql, ms: number): Promise<void> {
  await client`select set_config('lock_timeout', ${`${ms}`}, false)`;
}
