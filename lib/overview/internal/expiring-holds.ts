import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { OPEN_HOLD } from "#db/schema/transactions.ts";

/** Open authorizations that expire soon. */
export interface ExpiringHolds {
  count: number;
  /** What they hold, in minor units. */
  amount: number;
  /** The limit was reached, so that there may be more. */
  isPartial: boolean;
}

/** How many open authorizations are looked at: no index has them by account and deadline. */
const LOOKED_AT = 1_000;

/** The open authorizations whose deadline comes before a time of the account's clock. */
export async function listExpiringHolds(
  { db, actor }: ReadContext,
  before: Date,
): Promise<ExpiringHolds> {
  const [row] = await db.execute<ExpiringHolds & Record<string, unknown>>(sql`
    select count(*) filter (where is_near)::float8 as count,
      coalesce(sum(held) filter (where is_near), 0)::float8 as amount,
      count(*) = ${LOOKED_AT}::int as "isPartial"
    from (
      select hold_expires_at < ${before.toISOString()}::timestamptz as is_near,
        hold_amount - hold_captured - hold_released as held
      from transactions where integrator_id = ${actor.integratorId} and ${OPEN_HOLD}
      limit ${LOOKED_AT}::int
    ) as open`);
  return row ?? { count: 0, amount: 0, isPartial: false };
}
