import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import type { Db } from "#db/client.ts";
import { databaseCode } from "#db/failures.ts";

/** How long the API log is kept. The database's function `keep_api_log` drops nothing younger, whoever calls it. */
export const API_LOG_KEPT_DAYS = 30;

/**
 * Drops the partitions of the API log whose rows have all expired, and creates those of the next four weeks. Waits at
 * most 0.2 s for a lock, and then leaves the rest to the next call. Any number of processes may call it.
 */
export async function keepApiLog(db: Db): Promise<void> {
  try {
    while ((await keepOnce(db)) !== null) {
      // One partition at a time, so that each lock is released at once.
    }
  } catch (error) {
    if (databaseCode(error) !== LOCK_NOT_AVAILABLE) {
      throw error;
    }
    log.info("The API log is being read; its partitions are looked after a minute later.");
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

/** @returns what was done; null when nothing was left. */
async function keepOnce(db: Db): Promise<string | null> {
  const [row] = await db.execute<{ done: string | null }>(sql`select keep_api_log() as done`);
  return row?.done ?? null;
}

/** For how long the oldest partition of the API log should have been gone, in seconds; 0 when there is none. */
export async function readApiLogLag(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select greatest(coalesce(extract(epoch from
      statement_timestamp() - make_interval(days => ${API_LOG_KEPT_DAYS}) - min(ends_at)), 0), 0)::float8 as seconds
    from api_log_partitions()`);
  return row?.seconds ?? 0;
}
