import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

/** The health of an endpoint. */
export interface EndpointHealth {
  endpoint: Endpoint;
  /** Pending deliveries, counted up to `COUNTED_MAX`. */
  pending: number;
  /** Exhausted or stopped deliveries that were not resent, counted up to `COUNTED_MAX`. */
  missed: number;
  /** When the oldest missed event happened; null when there is none. */
  missedSince: Date | null;
}

/** Counting further is slow and adds no useful information: the number then reads "1,000 or more". */
export const COUNTED_MAX = 1_000;

/** An endpoint of the integrator with its pending and missed deliveries. */
export async function getEndpointHealth(
  ctx: ReadContext,
  endpoint: Endpoint,
): Promise<EndpointHealth> {
  const { integratorId } = ctx.actor;
  // The states are literals, not parameters, because the partial indexes for them match literals only.
  const [counts] = await ctx.db.execute<Counts>(sql`
    select
      (select count(*) from (
        select from webhook_deliveries
        where endpoint_id = ${endpoint.id} and state = 'pending' limit ${COUNTED_MAX}
      ) p)::float8 as pending,
      (select count(*) from (
        select from webhook_deliveries
        where endpoint_id = ${endpoint.id} and state in ('exhausted', 'stopped') limit ${COUNTED_MAX}
      ) m)::float8 as missed,
      (select extract(epoch from e.created_at) * 1000 from (
        select event_id from webhook_deliveries
        where endpoint_id = ${endpoint.id} and state in ('exhausted', 'stopped')
        order by event_id limit 1
      ) first join events e on e.integrator_id = ${integratorId} and e.id = first.event_id)::float8 as since`);
  const { pending = 0, missed = 0, since = null } = counts ?? {};
  return { endpoint, pending, missed, missedSince: since === null ? null : new Date(since) };
}

interface Counts extends Record<string, unknown> {
  pending: number;
  missed: number;
  /** Milliseconds since 1970. */
  since: number | null;
}
