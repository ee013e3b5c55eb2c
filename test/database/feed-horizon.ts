import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { FEED_HORIZON } from "#db/schema/columns.ts";
import { testDatabase } from "./database.ts";

/**
 * Waits until the feed's horizon has passed everything committed so far. An open transaction of another test, in any
 * database of the server, holds it back.
 */
export async function waitForHorizon(): Promise<void> {
  const { db } = testDatabase();
  const [row] = await db.execute<{ next: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  const hasPassed = async () => {
    const [passed] = await db.execute<{ all: boolean }>(
      sql`select ${FEED_HORIZON} >= ${row?.next}::text::xid8 as all`,
    );
    return passed?.all;
  };
  await expect.poll(hasPassed).toBe(true);
}
