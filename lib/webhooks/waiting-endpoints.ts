import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Concurrent attempts at a failing endpoint, across all workers. */
const FAILING_IN_FLIGHT_MAX = 1;

/**
 * Builds the recursive table `waiting`: each endpoint with pending deliveries, and when the first of them is due. Takes
 * one index probe per endpoint, however long the backlog.
 * @param after the id after which the endpoints start; null for all of them.
 */
export function waitingEndpoints(after: string | null = null): SQL {
  return sql`waiting as (
      (select d.endpoint_id, d.due_at from webhook_deliveries d
        where d.state = 'pending' and d.endpoint_id > ${after ?? LOWEST_ID}
        order by d.endpoint_id, d.due_at limit 1)
      union all
      select next.endpoint_id, next.due_at from waiting w cross join lateral (
        select d.endpoint_id, d.due_at from webhook_deliveries d
        where d.state = 'pending' and d.endpoint_id > w.endpoint_id
        order by d.endpoint_id, d.due_at limit 1
      ) next
    )`;
}

/** How many deliveries to an endpoint are being attempted. */
export function countInFlight(endpointId: SQL): SQL {
  return sql`(
        select count(*) from webhook_deliveries f
        where f.endpoint_id = ${endpointId} and f.locked_by is not null and f.due_at > statement_timestamp()
      )`;
}

/** How many deliveries to an endpoint may be attempted at a time, across all workers. */
export function inFlightMaxOf(endpoint: SQL): SQL {
  return sql`case when ${endpoint}.failing_since is null then ${endpoint}.in_flight_max else ${sql.raw(String(FAILING_IN_FLIGHT_MAX))} end`;
}
