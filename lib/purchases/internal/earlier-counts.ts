import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { toLimitPeriod } from "#lib/base/limit-period.ts";
import type { Counted } from "#lib/cards/limit-uses.ts";
import { countsTogether } from "#lib/cards/spending-controls.ts";
import type { SpendingLimit } from "#lib/cards/spending-controls.ts";
import { COUNTED, COUNTED_CATEGORY } from "#db/schema/transactions.ts";

interface Asked {
  /** Null for all cards. */
  cardId: string | null;
  limits: readonly SpendingLimit[];
  timeZone: string;
  /** The start of the replay: everything with a smaller id is older than this moment of the integrator's clock. */
  before: { id: string; at: Date };
}

/**
 * What earlier authorizations and postings count toward the limits, by card. Rows that count before that moment are
 * summed by period; rows that count later keep their own time.
 */
export async function readEarlier(
  { db, actor }: ReadContext,
  { cardId, limits, timeZone, before }: Asked,
): Promise<Map<string, Counted[]>> {
  const begins = limits
    .filter(countsTogether)
    .map(({ interval }) => toLimitPeriod(interval, before.at, timeZone).from?.getTime() ?? 0);
  const earlier = new Map<string, Counted[]>();
  if (begins.length === 0) {
    return earlier;
  }
  const starts = [...new Set(begins)].toSorted((one, other) => one - other);
  const at = sql`to_timestamp(${before.at.getTime()}::float8 / 1000)`;
  const start = sql`case when counted_at < ${at} then (
    select max(s) from unnest(${sql.param(starts)}::float8[]) s where to_timestamp(s / 1000) <= counted_at
  ) else extract(epoch from counted_at) * 1000 end`;
  const rows = await db.execute<{
    card_id: string;
    category: string | null;
    at: number;
    counted: number;
  }>(sql`
    select card_id, ${COUNTED_CATEGORY} as category, (${start})::float8 as at, sum(counted)::float8 as counted
    from transactions
    where integrator_id = ${actor.integratorId} and ${COUNTED}
      ${cardId === null ? sql`` : sql`and card_id = ${cardId}`}
      and counted_at >= to_timestamp(${starts[0] ?? 0}::float8 / 1000)
      and (id < ${before.id} or authorization_id < ${before.id})
    group by 1, 2, 3`);
  for (const { card_id: id, category, at: countedAt, counted } of rows) {
    const counts = earlier.get(id) ?? [];
    counts.push({ counted, countedAt: new Date(countedAt), category });
    earlier.set(id, counts);
  }
  return earlier;
}
