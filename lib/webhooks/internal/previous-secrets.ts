import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** How long a secret that was rotated out keeps signing alongside the new one. */
const SIGNS_HOURS = 24;
/** How many rotated-out secrets may sign at the same time. */
export const PREVIOUS_MAX = 5;

/** Selects an endpoint's rotated-out secrets that still sign, sealed, latest first. */
export function previousSecretsOf(endpointId: SQL): SQL<string[]> {
  return sql<string[]>`array(
    select p.secret from webhook_previous_secrets p
    where p.endpoint_id = ${endpointId} and ${stillSigns()}
    order by p.created_at desc, p.id desc)`;
}

/** Selects when the latest of these secrets stops signing; null when none signs. */
export function previousSecretsUntil(endpointId: SQL): SQL<Date | null> {
  return sql<Date | null>`(
    select max(p.created_at) + make_interval(hours => ${SIGNS_HOURS}) from webhook_previous_secrets p
    where p.endpoint_id = ${endpointId} and ${stillSigns()})`;
}

function stillSigns(): SQL {
  return sql`p.created_at > clock_timestamp() - make_interval(hours => ${SIGNS_HOURS})`;
}
