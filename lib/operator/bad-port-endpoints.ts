import { sql } from "drizzle-orm";
import { hasBadPort } from "#lib/webhooks/bad-ports.ts";
import type { Db } from "#db/client.ts";

/** An endpoint on a port that would be refused today. */
export interface BadPortEndpoint {
  integratorId: string;
  url: string;
  /** It has received a notification, so it is still sent to. */
  isInUse: boolean;
}

/** The endpoints of all integrators whose URL was saved before ports were checked. */
export async function listBadPortEndpoints(db: Db): Promise<BadPortEndpoint[]> {
  const rows = await db.execute<{ integrator_id: string; url: string; in_use: boolean }>(sql`
    select integrator_id, url, last_success_at is not null as in_use from webhook_endpoints
    where deleted_at is null and url ~ '^https?://[^/?]*:[0-9]'
    order by integrator_id, id`);
  return rows
    .filter(({ url }) => hasBadPort(url))
    .map(({ integrator_id: integratorId, url, in_use: isInUse }) => ({
      integratorId,
      url,
      isInUse,
    }));
}
