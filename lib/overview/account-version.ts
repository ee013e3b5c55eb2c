import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { listEndpoints } from "#lib/webhooks/endpoints.ts";

/**
 * A version of the account: a text that changes whenever its cards, money, settings, or webhook health change. It
 * costs a few index lookups. It does not cover individual deliveries, refused requests, and the audit log.
 *
 * Every change of a card or of money records an event, so the version contains the newest event. That alone is not
 * enough: an older transaction that commits later adds an event before it. The version therefore also contains the
 * newest event below the feed's horizon, which changes once the horizon has passed the late one.
 */
export async function readAccountVersion(ctx: ReadContext): Promise<string> {
  const { integratorId, ref, staff } = ctx.actor;
  const newest = ctx.db.execute(sql`
    select
      (select xid::text || ' ' || id from events where integrator_id = ${integratorId} and xid < feed_horizon()
        order by xid desc, id desc limit 1) as final,
      (select id from events where integrator_id = ${integratorId} order by id desc limit 1) as newest,
      (select xmin::text from integrators where id = ${integratorId}) as account`);
  const seen = await Promise.all([newest, readEndpoints(ctx)]);
  // A person's pages change with their role.
  const text = JSON.stringify([...seen, ref.name, staff?.role]);
  return createHash("sha256").update(text).digest("base64url");
}

/** Alerts cover every endpoint. The overview counts the deliveries of the first one only. */
async function readEndpoints(ctx: ReadContext) {
  const [first, ...others] = await listEndpoints(ctx);
  return [await getEndpointHealth(ctx, first), others];
}
