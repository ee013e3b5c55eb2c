import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";
import { toRecent } from "#lib/overview/internal/recent-rows.ts";

/** What an integrator's transfers of one kind moved in one of several periods, in minor units. */
export interface TransferSum {
  /** The number of the period, from 1 on. */
  nth: number;
  kind: TransferKind;
  amount: number;
}

/**
 * Sums the transfers of consecutive periods by kind. The cost grows with the number of quarter-hours in them.
 * @param periods when each begins, and when the last one ends: at a quarter of an hour, as the days of every time
 *   zone do. Without `until`, the last one ends now.
 */
export async function readTransferSums(
  ctx: ReadContext,
  { starts, until }: { starts: readonly Date[]; until?: Date },
): Promise<TransferSum[]> {
  const { integratorId } = ctx.actor;
  const times = starts.map((start) => start.toISOString());
  const end = until?.toISOString() ?? "infinity";
  const recent = toRecent(sql`kind, amount, created_at`, sql`transfers`);
  // The driver writes arrays of text, but not of times. In a subquery, they are converted once; otherwise once per row,
  // which for thousands of rows takes far longer than reading them.
  return ctx.db.execute<{ nth: number; kind: TransferKind; amount: number }>(sql`
    select width_bucket(at, (select ${sql.param(times)}::text[]::timestamptz[])) as nth, kind, sum(amount)::float8 as amount
    from (
      select quarter as at, kind, amount from transfer_rollups
      where integrator_id = ${integratorId} and quarter >= ${times[0]}::timestamptz and quarter < ${end}::timestamptz
      union all
      select created_at, kind, amount from ${recent} as recent
      where integrator_id = ${integratorId} and created_at >= ${times[0]}::timestamptz and created_at < ${end}::timestamptz
    ) as moved group by 1, kind`);
}
