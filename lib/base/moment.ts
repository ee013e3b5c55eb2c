import { sql } from "drizzle-orm";
import { toMoment } from "#lib/base/ids.ts";
import type { Moment } from "#lib/base/ids.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** When the database received this statement, in microseconds since 1970. `now()` would be the start of the transaction. */
export const STATEMENT_MICROS = sql`(extract(epoch from statement_timestamp()) * 1000000)::float8`;

/**
 * Reads the database's clock at this statement. Read after the affected rows are locked, it is later than everything
 * recorded about them before.
 */
export async function readMoment(db: Db | Tx): Promise<Moment> {
  const [row] = await db.execute<{ micros: number }>(sql`select ${STATEMENT_MICROS} as micros`);
  return toMoment(row?.micros ?? Number.NaN);
}
