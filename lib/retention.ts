import { sql } from "drizzle-orm";
import { log } from "#lib/log.ts";
import type { Db } from "#db/client.ts";

/** Stored answers, the API log, what was delivered, failed sign-ins and sessions, which end long before, are kept this long. */
const KEPT_DAYS = 30;
const PERIOD_MS = 60 * 60_000;
const BATCH_ROWS = 1_000;
const BATCHES_MAX = 100;

/** A delivery takes its tries with it; one that is still on its way stays. */
const TABLES = [
  { name: sql`idempotent_requests`, expired: sql`true` },
  { name: sql`api_log`, expired: sql`true` },
  { name: sql`sign_in_failures`, expired: sql`true` },
  { name: sql`staff_sessions`, expired: sql`true` },
  { name: sql`webhook_deliveries`, expired: sql`state <> 'pending'` },
];

/** Removes, once an hour and in small batches, what is older than it is kept. Any number of processes may do so. */
export function startRetention(db: Db): { stop(): void } {
  const timer = setInterval(() => {
    removeExpired(db).catch((error: unknown) => {
      log.error({ err: error }, "Expired rows could not be removed.");
    });
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Removes what has expired by now, at most a hundred thousand rows a table. */
export async function removeExpired(db: Db): Promise<void> {
  for (const table of TABLES) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const removed = await db.execute(sql`
        with expired as (
          select ctid from ${table.name}
          where ${table.expired} and created_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})
          limit ${BATCH_ROWS}
          for update skip locked
        )
        delete from ${table.name} where ctid in (select ctid from expired) returning 1 as removed`);
      if (removed.length < BATCH_ROWS) {
        break;
      }
    }
  }
}
