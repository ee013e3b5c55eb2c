import { and, sql } from "drizzle-orm";
import type { AnyColumn, SQL } from "drizzle-orm";
import { firstIdAt } from "#lib/base/ids.ts";

/** A period: `from` is inclusive, `to` is exclusive. */
export interface Period {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Selects the rows of a period. Ids begin with the time of their row, so the index of ids finds them. */
export function isWithin(id: AnyColumn | SQL, { from, to }: Period): SQL | undefined {
  const ids = toIds({ from, to });
  return and(
    ids.from ? sql`${id} >= ${ids.from}::uuid` : undefined,
    ids.to ? sql`${id} < ${ids.to}::uuid` : undefined,
  );
}

/** The first id of a period, and the first id after it. */
export function toIds({ from, to }: Period): {
  from?: string | undefined;
  to?: string | undefined;
} {
  return { from: from && firstIdAt(from.getTime()), to: to && firstIdAt(to.getTime()) };
}
