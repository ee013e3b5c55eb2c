import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** This many declines of one card within an hour are hardly a mistake. */
const DECLINES_MIN = 5;
/** How many declines are read, the newest first. */
const DECLINES_READ_MAX = 5_000;

/**
 * Selects an integrator's cards that keep declining purchases: `card_id`, `declines`, and the most frequent `reason`.
 * Declines that were forced in the sandbox do not count.
 * @param since the first id of the last hour.
 */
export function toRepeatedDeclines(integratorId: SQL, since: string): SQL {
  return sql`
    select declined.card_id, count(*)::int as declines, mode() within group (order by declined.decline_reason) as reason
    from (
      select card_id, decline_reason, decline_forced from transactions
      where integrator_id = ${integratorId} and type = 'deduct' and status = 'declined' and id >= ${since}::uuid
      order by id desc limit ${DECLINES_READ_MAX}::int
    ) declined
    where not declined.decline_forced
    group by declined.card_id having count(*) >= ${DECLINES_MIN}`;
}
