import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { FEED_HORIZON } from "./schema/columns.ts";
import { inTime } from "./transaction.ts";
import { timeLimit } from "./time-limits.ts";

const POLL_MS = 5;

/**
 * Waits until the feed lists everything that had committed when the call began: until every transaction, of any
 * integrator, that was writing then has ended. It waits for a few seconds at most, which is enough for nearly every
 * transaction; a longer one delays only the feed.
 */
export async function awaitFeed(db: Db): Promise<void> {
  const until = performance.now() + timeLimit("feed");
  const [begun] = await inTime(() =>
    db.execute<{ next: string }>(
      sql`select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_base())::text as next`,
    ),
  );
  const isListed = async () => {
    const [row] = await inTime(() =>
      db.execute<{ passed: boolean }>(
        sql`select ${FEED_HORIZON} >= ${begun?.next}::text::xid8 as passed`,
      ),
    );
    return row?.passed === true;
  };
  while (!(await isListed()) && performance.now() < until) {
    await sleep(POLL_MS);
  }
}
