import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** How long a secret that was rotated out keeps signing alongside the new one. */
const SIGNS_HOURS = 24;
/** How many secrets that were rotated out sign at once, at most. */
export const PREVIOUS_MAX = 5;

/** The part of a statement that reads an endpoint's sealed secrets that were rotated out and still sign, latest first. */
export function previousSecretsOf(endpointId: SQL): SQL<string[]> {
  return sql<string[]>`array(
    select p.secret from webhook_previous_secrets p
    where p.endpoint_id = ${endpointId} and ${stillSigns()}
    order by p.created_at desc, p.id desc)`;
}

/** Until when the latest of them signs; null when none does. */
export function previousSecretsUntil(endpointId: SQL): SQL<Date | null> {
  return sql<Date | null>`(
    select max(p.created_at) + make_interval(hours => ${SIGNS_HOURS}) from webhook_previous_secrets p
    where p.endpoint_id = ${endpointId} and ${stillSigns()})`;
}

function stillSigns(): SQL {
  return sql`p.created_at > clock_timestamp() - make_interval(hours => ${SIGNS_HOURS})`;
}
