import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";

/**
 * A text that changes whenever the cards, the money, the account's settings, or the health of its notifications do, and
 * costs a few index look-ups. It does not cover single deliveries, refused requests, and the audit log.
 *
 * Every change of a card or of money records an event. The newest event alone would not do: an older transaction that
 * commits later adds an event before it. The newest one below the horizon changes for that too, once the horizon has
 * passed it; the newest of all changes at once for most.
 */
export async function readAccountVersion(ctx: ReadContext): Promise<string> {
  const { integratorId, ref, staff } = ctx.actor;
  const newest = ctx.db.execute(sql`
    select
      (select xid::text || ' ' || id from events where integrator_id = ${integratorId} and xid < feed_horizon()
        order by xid desc, id desc limit 1) as final,
      (select id from events where integrator_id = ${integratorId} order by id desc limit 1) as newest,
      (select xmin::text from integrators where id = ${integratorId}) as account`);
  const seen = await Promise.all([newest, getEndpointHealth(ctx)]);
  // A person whose role has changed sees other pages.
  const text = JSON.stringify([...seen, ref.name, staff?.role]);
  return createHash("sha256").update(text).digest("base64url");
}
