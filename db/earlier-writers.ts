import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { inTime } from "./transaction.ts";
import { timeLimit } from "./time-limits.ts";

const POLL_MS = 5;

/**
 * Waits until every transaction has ended that was writing, and had read this table, when the call began. A
 * transaction that reads the table later sees what the caller has committed. Other transactions pay nothing for this:
 * their locks show what they have read.
 * @returns whether all of them ended in time.
 */
export async function awaitEarlierWriters(
  db: Db,
  table: "installation" | "integrators",
): Promise<boolean> {
  const until = performance.now() + timeLimit("earlierWriters");
  let earlier = await readWriters(db, table);
  while (earlier.size > 0 && performance.now() < until) {
    await sleep(POLL_MS);
    earlier = earlier.intersection(await readWriters(db, table));
  }
  return earlier.size === 0;
}

/**
 * Finds them by their locks: a transaction that writes holds one on its own id, and one that has read a table holds
 * one on that table.
 */
async function readWriters(db: Db, table: string): Promise<ReadonlySet<string>> {
  const rows = await inTime(() =>
    db.execute<{ name: string }>(sql`
    select distinct reader.virtualtransaction as name
    from pg_locks reader
    join pg_locks writer on writer.virtualtransaction = reader.virtualtransaction
    where reader.locktype = 'relation' and reader.relation = ${table}::regclass
      and reader.database = (select oid from pg_database where datname = current_database())
      and writer.locktype = 'transactionid' and writer.mode = 'ExclusiveLock' and writer.granted
      and reader.pid <> pg_backend_pid()`),
  );
  return new Set(rows.map(({ name }) => name));
}
