import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

/** How an integrator's notifications are doing. */
export interface EndpointHealth {
  endpoint: Endpoint;
  /** Deliveries on their way, counted up to `COUNTED_MAX`. */
  pending: number;
  /** Deliveries given up or stopped, which nobody has sent again, counted up to `COUNTED_MAX`. */
  missed: number;
  /** When the oldest of those that were missed happened; null while there are none. */
  missedSince: Date | null;
}

/** Counting further tells nobody more and takes longer: the number then reads "1,000 or more". */
export const COUNTED_MAX = 1_000;

/** The endpoint as it stands, and what waits for it. */
export async function getEndpointHealth(ctx: ReadContext): Promise<EndpointHealth> {
  const endpoint = await getEndpoint(ctx);
  const { integratorId } = ctx.actor;
  // The states are written out, not parameters: the indexes that find these hold them alone.
  const [counts] = await ctx.db.execute<Counts>(sql`
    select
      (select count(*) from (
        select from webhook_deliveries
        where integrator_id = ${integratorId} and state = 'pending' limit ${COUNTED_MAX}
      ) p)::float8 as pending,
      (select count(*) from (
        select from webhook_deliveries
        where integrator_id = ${integratorId} and state in ('exhausted', 'stopped') limit ${COUNTED_MAX}
      ) m)::float8 as missed,
      (select extract(epoch from e.created_at) * 1000 from (
        select event_id from webhook_deliveries
        where integrator_id = ${integratorId} and state in ('exhausted', 'stopped')
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
