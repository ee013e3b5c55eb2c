import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/context.ts";
import { getEndpoint } from "#lib/endpoints.ts";
import type { Endpoint } from "#lib/endpoints.ts";

/** How an integrator's notifications are doing. */
export interface EndpointHealth {
  endpoint: Endpoint;
  /** Deliveries on their way, counted up to `COUNTED_MAX`. */
  pending: number;
  /** Deliveries given up or stopped, which nobody has sent again, counted up to `COUNTED_MAX`. */
  missed: number;
}

/** Counting further tells nobody more and takes longer: the number then reads "1,000 or more". */
export const COUNTED_MAX = 1_000;

/** The endpoint as it stands, and what waits for it. */
export async function getEndpointHealth(ctx: ReadContext): Promise<EndpointHealth> {
  const endpoint = await getEndpoint(ctx);
  const { integratorId } = ctx.actor;
  // The states are written out, not parameters: the indexes that find these hold them alone.
  const [counts] = await ctx.db.execute<{ pending: number; missed: number }>(sql`
    select
      (select count(*) from (
        select from webhook_deliveries
        where integrator_id = ${integratorId} and state = 'pending' limit ${COUNTED_MAX}
      ) p)::float8 as pending,
      (select count(*) from (
        select from webhook_deliveries
        where integrator_id = ${integratorId} and state in ('exhausted', 'stopped') limit ${COUNTED_MAX}
      ) m)::float8 as missed`);
  return { endpoint, pending: counts?.pending ?? 0, missed: counts?.missed ?? 0 };
}
