import type { Sql } from "postgres";
import { partitionApiLog } from "./api-log-partitions.ts";
import { buildLateIndexes } from "./late-indexes.ts";

/** An arbitrary lock id. The process that holds the lock does the work. */
const LOCK = 7_203_122;

/**
 * Does what a migration cannot do in its transaction without locking others out for long: builds large indexes, and
 * partitions the API log. Others read and write meanwhile. While another process does this work, the call does
 * nothing: everything works without it, only more slowly.
 * @param folder contains the statements that create the indexes.
 */
export async function doLateWork(client: Sql, folder: string): Promise<void> {
  if (!(await takeTurn(client))) {
    return;
  }
  try {
    await buildLateIndexes(client, folder);
    // Its indexes must be there: attaching the table would build them under a lock.
    await partitionApiLog(client);
  } finally {
    await client`select pg_advisory_unlock(${LOCK})`;
  }
}

async function takeTurn(client: Sql): Promise<boolean> {
  const [lock] = await client<{ free: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as free`;
  return lock?.free === true;
}
