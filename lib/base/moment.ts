import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { toMoment } from "#lib/base/ids.ts";
import type { Moment } from "#lib/base/ids.ts";
import type { Db } from "#db/client.ts";
import { NOW } from "#db/schema/columns.ts";
import { pastClockOf } from "#db/past-clock.ts";
import type { Tx } from "#db/transaction.ts";

/** When the database received this statement, in microseconds since 1970. `now()` would be the start of the transaction. */
export const STATEMENT_MICROS = sql`(extract(epoch from statement_timestamp()) * 1000000)::float8`;

/**
 * Reads the database's clock at this statement. Read after the affected rows are locked, it is later than everything
 * recorded about them before. While the demo's past is written, reads the simulated clock of that transaction instead.
 */
export async function readMoment(db: Db | Tx): Promise<Moment> {
  if (pastClockOf(db)) {
    return toMomentOf(db, Number.NaN);
  }
  const [row] = await db.execute<{ micros: number }>(sql`select ${STATEMENT_MICROS} as micros`);
  return toMoment(row?.micros ?? Number.NaN);
}

/** As `readMoment`, but from a clock reading that another statement returned with its rows (`STATEMENT_MICROS`). */
export function toMomentOf(db: Db | Tx, micros: number): Moment {
  return toMoment(pastClockOf(db)?.read() ?? micros);
}

/** The time for a column that a statement sets along with others. */
export function nowOf(tx: Tx): SQL {
  const clock = pastClockOf(tx);
  return clock ? sql`to_timestamp(${clock.read()}::float8 / 1000000)` : NOW;
}
