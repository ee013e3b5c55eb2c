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

/**
 * Counts by index why requests were declined, most frequent first; to be called after `planByIndex`.
 * @param period when they were declined; its end, if it has one, is excluded.
 */
export async function countDeclines(
  ctx: ReadContext,
  { from, to }: { from: Date; to?: Date },
): Promise<DeclineCount[]> {
  const end = to ? sql`and id < ${firstIdAt(to.getTime())}::uuid` : sql``;
  const rows = await ctx.db.execute<{ reason: DeclineReason; count: number }>(sql`
    select reason, (
      select count(*)::float8 from transactions
      where integrator_id = ${ctx.actor.integratorId} and decline_reason = reason
        and id >= ${firstIdAt(from.getTime())}::uuid ${end}
    ) as count
    from unnest(${sql.param([...DECLINE_REASONS])}::text[]) as reason`);
  return rows.filter(({ count: times }) => times > 0).toSorted((a, b) => b.count - a.count);
}
