import type postgres from "postgres";
import { database } from "#db/client.ts";

/** What PostgreSQL knows about tables: for tests of how statements are planned. */

/** Keeps PostgreSQL from analyzing and vacuuming tables by itself, which also reads their buffers. */
export async function switchOffAutovacuum(owner: postgres.Sql): Promise<void> {
  await setOfTables(owner, "autovacuum_enabled = off");
}

/**
 * Leaves half of each page for updates of its rows. A row that finds no room on its page gets new entries in all of its
 * table's indexes, dozens of them in one that searches for text, so that what an update reads would depend on its neighbors.
 */
export async function leaveRoomForUpdates(owner: postgres.Sql): Promise<void> {
  await setOfTables(owner, "fillfactor = 50");
}

async function setOfTables(owner: postgres.Sql, parameter: string): Promise<void> {
  const tables = await owner`select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  for (const { relname } of tables) {
    await owner.unsafe(`alter table ${relname} set (${parameter})`);
  }
}

/**
 * Drops the indexes that search for text: filling them row by row takes longer than filling everything else.
 * @returns a function that builds them again, in a fraction of that time.
 */
export async function dropSearchIndexes(owner: postgres.Sql): Promise<() => Promise<void>> {
  const indexes = await owner`select indexname, indexdef from pg_indexes
    where schemaname = 'public' and indexdef like '%USING gin%'`;
  for (const { indexname } of indexes) {
    await owner.unsafe(`drop index ${indexname}`);
  }
  return async () => {
    for (const { indexdef } of indexes) {
      await owner.unsafe(indexdef);
    }
  };
}

/**
 * How many buffers were read of each table and its indexes, with what the one connection of this process and the owner's
 * have read until now. The API log is left out: it is written in the background.
 */
export async function readBuffers(owner: postgres.Sql): Promise<ReadonlyMap<string, number>> {
  const flush = "select pg_stat_force_next_flush()";
  await Promise.all([database().execute(flush), owner.unsafe(flush)]);
  const rows = await owner<{ name: string; buffers: number }[]>`
    select relname as name, (heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
      + coalesce(toast_blks_read + toast_blks_hit, 0))::float8 as buffers
    from pg_statio_user_tables where relname not like 'api\\_log%'`;
  return new Map(rows.map(({ name, buffers }) => [name, buffers]));
}

/** How many buffers were read of these tables together; of all of them unless some are named. */
export async function countBuffers(
  owner: postgres.Sql,
  tables?: readonly string[],
): Promise<number> {
  const read = await readBuffers(owner);
  return [...read]
    .filter(([table]) => tables?.includes(table) ?? true)
    .reduce((sum, [, buffers]) => sum + buffers, 0);
}
