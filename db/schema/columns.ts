import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { bigint, customType, timestamp } from "drizzle-orm/pg-core";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** Money in minor units. A check keeps every stored amount a safe integer, so a JavaScript number holds it exactly. */
export const money = (name: string) => bigint(name, { mode: "number" });

/** A counter that may outgrow 32 bits. */
export const counter = (name: string) => bigint(name, { mode: "number" });

/** A time in UTC, to the millisecond. Only the database's clock writes it unless a column says otherwise. */
export const moment = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/**
 * The database's clock at this instant. `now()` would be the start of the transaction, before it waited for
 * its locks.
 */
export const NOW = sql`clock_timestamp()`;

/** A 64-bit transaction id, which never wraps; compared as text in JavaScript. */
export const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });

/**
 * The position of what the running transaction writes now: after everything that has ended so far. See
 * `db/feed-order.ts`.
 */
export const FEED_POSITION = sql`feed_position()`;

/** No transaction below this position is still running: everything below it is visible. */
export const FEED_HORIZON = sql`feed_horizon()`;

/** Who did something, with the name they had at that time. */
export interface StoredActor {
  type: "api_key" | "staff" | "processor" | "system";
  id: string | null;
  name: string;
}

/**
 * The condition of an index that is only for statements that compare this column. Every index of a tenant's table
 * starts with the integrator, so without statistics the planner sees no difference between them; with this condition,
 * the planner cannot choose the index for the integrator alone. Any comparison with the column implies the condition.
 */
export function isNamed(column: AnyPgColumn | SQL): SQL {
  return sql`${column} is not null`;
}

/** Text as searches compare it: ignoring case, accents, and width (`search_text` in the first migration). */
export function toFolded(text: AnyPgColumn | SQL): SQL {
  return sql`search_text(${text})`;
}

/** The literals of a closed list, for `in`. */
export function toList(values: readonly string[]): SQL {
  return sql.raw(`(${values.map((value) => `'${value}'`).join(", ")})`);
}
