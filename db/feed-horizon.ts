import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { FEED_HORIZON } from "./schema/columns.ts";
import { inTime } from "./transaction.ts";
import { timeLimit } from "./time-limits.ts";

const POLL_MS = 5;

/**
 * Waits until the feed lists everything that had committed when the call began: until each transaction has ended that was
 * writing then, whoever's it is. It waits for a few seconds at most, as long as nearly every transaction takes; whoever keeps
 * one open longer delays the feed, and nothing else.
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
