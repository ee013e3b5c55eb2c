import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";

/** How often requests were declined for one reason. */
export interface DeclineCount {
  reason: DeclineReason;
  count: number;
}

/** How often requests were declined for one reason, in all and in each part of a period. */
export interface DeclineCounts extends DeclineCount {
  counts: readonly number[];
}

/**
 * Counts by index why requests were declined, most frequent first; to be called after `planByIndex`.
 * @param period when they were declined; its end, if it has one, is excluded.
 */
export async function countDeclines(
  ctx: ReadContext,
  { from, to }: { from: Date; to?: Date },
): Promise<DeclineCount[]> {
  const counted = await countDeclinesWithin(ctx, { starts: [from], to });
  return counted.map(({ reason, count }) => ({ reason, count }));
}

/**
 * Like `countDeclines`, for consecutive parts of a period.
 * @param period when each part begins, at least one; and when the last one ends.
 */
export async function countDeclinesWithin(
  ctx: ReadContext,
  { starts, to }: { starts: readonly Date[]; to?: Date | undefined },
): Promise<DeclineCounts[]> {
  const ids = starts.map((start) => firstIdAt(start.getTime()));
  const end = to ? sql`and id < ${firstIdAt(to.getTime())}::uuid` : sql``;
  const rows = await ctx.db.execute<DeclineCount & { nth: number } & Record<string, unknown>>(sql`
    select reason, declined.nth, declined.count
    from unnest(${sql.param([...DECLINE_REASONS])}::text[]) as reason
    cross join lateral (
      select width_bucket(id, (select ${sql.param(ids)}::text[]::uuid[])) as nth, count(*)::float8 as count
      from transactions
      where integrator_id = ${ctx.actor.integratorId} and decline_reason = reason and id >= ${ids[0]}::uuid ${end}
      group by 1
    ) as declined`);
  return DECLINE_REASONS.map((reason) => {
    const found = new Map(
      rows.flatMap((row) => (row.reason === reason ? [[row.nth, row.count]] : [])),
    );
    const counts = starts.map((_, index) => found.get(index + 1) ?? 0);
    return { reason, count: counts.reduce((sum, count) => sum + count, 0), counts };
  })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}
