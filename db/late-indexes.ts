import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { LOCK_TIMEOUT_MS } from "./lock-wait.ts";

/** An arbitrary number. The process that holds this lock builds. */
const LOCK = 7_203_122;

/** How long a build waits for transactions that began before it. It blocks no one in the meantime. */
const OTHERS_TIMEOUT_MS = 30_000;

/**
 * Builds the indexes that are too large to build inside a migration, while other sessions read and write. Each file of the
 * folder is one statement and named after its index. An index whose build was interrupted is built again. While another
 * process builds, this one does nothing: everything works without these indexes, only more slowly.
 */
export async function buildLateIndexes(client: Sql, folder: string): Promise<void> {
  if (!(await takeTurn(client))) {
    return;
  }
  await setLockTimeout(client, OTHERS_TIMEOUT_MS);
  try {
    // Read within the turn: an index that another process has just built must not be dropped.
    for (const name of await findMissing(client, folder)) {
      await client`drop index concurrently if exists ${client(name)}`;
      await client.unsafe(readFileSync(path.join(folder, `${name}.sql`), "utf8"));
    }
  } finally {
    await setLockTimeout(client, LOCK_TIMEOUT_MS);
    await client`select pg_advisory_unlock(${LOCK})`;
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

async function takeTurn(client: Sql): Promise<boolean> {
  const [lock] = await client<{ free: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as free`;
  return lock?.free === true;
}

async function setLockTimeout(client: Sql, ms: number): Promise<void> {
  await client`select set_config('lock_timeout', ${`${ms}`}, false)`;
}
