import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { PastClock, setPastClock } from "./past-clock.ts";
import { integrators } from "./schema/integrators.ts";
import { installation } from "./schema/staff.ts";
import { inTransaction } from "./transaction.ts";
import type { Tx } from "./transaction.ts";
import { timeLimit } from "./time-limits.ts";

/**
 * An arbitrary lock id. Whoever records a past takes it exclusively; a server that begins to serve takes it shared.
 * The installation's row would not do: processes that join lock that row, and have no time to wait.
 */
export const PAST_LOCK = 7_203_123;

/** An installation that may not receive a past. The message is a sentence for people. */
export class PastRefused extends Error {}

/**
 * Like `inTransaction`, except that its records take their times and their ids from a clock that the work moves: it
 * begins a number of milliseconds ago and ends now. Only for the demo, and only while nobody has used the
 * installation. The same transaction checks this condition, which then holds until the transaction ends.
 * @throws PastRefused for any other installation.
 */
export async function inPast<T>(
  db: Db,
  sinceMs: number,
  work: (tx: Tx, clock: PastClock) => Promise<T>,
): Promise<T> {
  const record = async (tx: Tx) => {
    // Of two servers that start at once, the second waits here until the first one's demo is there.
    await tx.execute(
      sql`select set_config('statement_timeout', ${String(timeLimit("past"))}, true)`,
    );
    const end = await requireUnused(tx);
    const clock = new PastClock({ start: new Date(end.getTime() - sinceMs), end });
    setPastClock(tx, clock);
    const value = await work(tx, clock);
    // Here and not within COMMIT, which has less time.
    await tx.execute(sql`set constraints all immediate`);
    return value;
  };
  return inTransaction(db, record, timeLimit("past"));
}

/**
 * Requires a sandbox that no server has served and that has no integrator. Locks both: until the transaction ends, a
 * server that starts waits before it serves, and nobody can register.
 * @returns the present, by the database's clock.
 */
async function requireUnused(tx: Tx): Promise<Date> {
  await tx.execute(sql`select pg_advisory_xact_lock(${PAST_LOCK})`);
  const [row] = await tx
    .select({ environment: installation.environment, publicUrl: installation.publicUrl })
    .from(installation);
  if (row?.environment !== "sandbox") {
    throw new PastRefused("Only the database of a sandbox can receive a past.");
  }
  if (row.publicUrl !== null) {
    throw new PastRefused("A server has served this database, so it can receive no past.");
  }
  await tx.execute(sql`lock table integrators in share row exclusive mode`);
  const existing = await tx.select({ id: integrators.id }).from(integrators).limit(1);
  if (existing.length > 0) {
    throw new PastRefused("This database has an integrator, so it can receive no past.");
  }
  const [now] = await tx.execute<{ ms: number }>(
    sql`select (extract(epoch from statement_timestamp()) * 1000)::float8 as ms`,
  );
  return new Date(now?.ms ?? Number.NaN);
}
