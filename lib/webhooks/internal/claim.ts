import { sql } from "drizzle-orm";
import { personalOfEvent } from "#lib/record/event-body.ts";
import type { StoredEvent } from "#lib/record/event-body.ts";
import { unseal } from "#lib/base/seal.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import { openHeaders } from "#lib/webhooks/internal/endpoint-headers.ts";
import type { Headers } from "#lib/webhooks/internal/endpoint-headers.ts";
import { countInFlight, inFlightMaxOf, waitingEndpoints } from "#lib/webhooks/waiting-endpoints.ts";
import { previousSecretsOf } from "#lib/webhooks/internal/previous-secrets.ts";
import { toNotificationBody } from "#lib/webhooks/internal/notification-body.ts";
import type { EndpointFormat } from "#db/schema/endpoint-formats.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** How many endpoints one turn considers, and how many deliveries it stops for each endpoint that is off. */
const TURN_ENDPOINTS_MAX = 100;
const STOPPED_MAX = 1_000;

/**
 * One delivery to attempt now. `number` distinguishes this claim from every other claim of the same delivery.
 */
export interface Claim {
  endpointId: string;
  integratorId: string;
  eventId: string;
  number: number;
  /** How often it has failed since its retries started. */
  failures: number;
  url: string;
  /** Whether the endpoint has accepted a notification before. */
  isInUse: boolean;
  /** Identifies the integrator's own inbox; null when it has none. */
  inboxTokenHash: string | null;
  secrets: readonly string[];
  /** Additional headers of the request. */
  headers: Headers;
  body: string;
  /** The span of the request that caused the event, if that was traced. */
  traceparent: string | null;
  /** On the database's clock. */
  claimedAt: Date;
  /** How long it waited for its first attempt, in milliseconds; null for a later one. */
  waitedMs: number | null;
  /** When the claim expires, on this process's monotonic clock. */
  heldUntil: number;
}

/**
 * The result of a turn: deliveries to attempt, and the endpoint after which the next turn starts; null
 * starts from the first.
 */
export interface Turn {
  claims: Claim[];
  after: string | null;
}

/** A worker's request for deliveries, up to its free capacity. */
export interface ClaimRequest {
  workerId: string;
  /** How many attempts it can start now. */
  room: number;
  /** How many of those may be additional attempts for endpoints that already have one in flight. */
  roomForFurther: number;
  after: string | null;
}

/**
 * Claims due deliveries for one worker, one endpoint after another. A transaction that claims an endpoint's deliveries
 * locks the endpoint's row first, so two workers never exceed its limit together. Endpoints that another transaction
 * has locked are skipped, never waited for.
 */
export function claimDue(db: Db, request: ClaimRequest): Promise<Turn> {
  return inUpkeep(db, async (tx) => {
    const endpoints = await lockEndpoints(tx, request.after);
    await stopSilenced(tx, endpoints);
    const awake = endpoints.filter(({ url }) => url !== null);
    const claims = await claim(tx, awake, request);
    const last = endpoints.at(-1)?.id ?? null;
    return { claims, after: endpoints.length === TURN_ENDPOINTS_MAX ? last : null };
  });
}

/** An endpoint with due deliveries, which this transaction has locked. */
type LockedEndpoint = {
  id: string;
  integrator_id: string;
  /** Null while the endpoint is off. */
  url: string | null;
  in_use: boolean;
  inbox_token_hash: string | null;
  secret: string;
  previous_secrets: string[];
  headers: string | null;
  in_flight_max: number;
};

/** Finds the endpoints with due deliveries, with one index probe each whatever the backlog, and locks them. */
async function lockEndpoints(tx: Tx, after: string | null): Promise<LockedEndpoint[]> {
  const rows = await tx.execute<LockedEndpoint>(sql`
    with recursive ${waitingEndpoints(after)}, due as (
      select endpoint_id from waiting where due_at <= clock_timestamp() limit ${TURN_ENDPOINTS_MAX}
    )
    select e.id, e.integrator_id, case when e.switched_off_at is null then e.url end as url, e.secret, e.last_success_at is not null as in_use,
      (select token_hash from sandbox_inboxes x where x.integrator_id = e.integrator_id) as inbox_token_hash,
      ${previousSecretsOf(sql`e.id`)} as previous_secrets, e.headers,
      ${inFlightMaxOf(sql`e`)} as in_flight_max
    from due
    join webhook_endpoints e on e.id = due.endpoint_id
    for no key update of e skip locked`);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Stops due deliveries of endpoints that are off. The change that switched the endpoint off left them pending: they
 * were recorded later, or exceeded what it rewrites immediately (`stopPending`).
 */
async function stopSilenced(tx: Tx, endpoints: readonly LockedEndpoint[]): Promise<void> {
  for (const { id, url } of endpoints) {
    if (url === null) {
      const [stopped] = await tx.execute<{ event_id: string }>(sql`
        update webhook_deliveries d set state = 'stopped', locked_by = null
        where d.ctid = any(array(
          select p.ctid from webhook_deliveries p
          where p.endpoint_id = ${id} and p.state = 'pending' and p.due_at <= statement_timestamp()
          limit ${STOPPED_MAX}
        )) returning d.event_id`);
      if (stopped) {
        markCommit(
          tx,
          sql`exists (select from webhook_deliveries where endpoint_id = ${id}
            and event_id = ${stopped.event_id} and state = 'stopped')`,
        );
      }
    }
  }
}

async function claim(
  tx: Tx,
  endpoints: readonly LockedEndpoint[],
  { workerId, room, roomForFurther }: ClaimRequest,
): Promise<Claim[]> {
  if (endpoints.length === 0) {
    return [];
  }
  const limits = endpoints.map((endpoint) => endpoint.in_flight_max);
  const rows = await tx.execute<
    {
      endpoint_id: string;
      event_id: string;
      format: EndpointFormat;
      attempts: number;
      failures: number;
      traceparent: string | null;
      recorded_at: number;
      at: number;
    } & ClaimedEvent
  >(sql`
    with places as (
      select t.endpoint_id, t.most, ${countInFlight(sql`t.endpoint_id`)} as taken
      from unnest(
        ${sql.param(endpoints.map(({ id }) => id))}::uuid[],
        ${sql.param(limits)}::bigint[]
      ) as t (endpoint_id, most)
    ), due as (
      select next.row_id,
        places.taken + row_number() over (partition by next.endpoint_id order by next.due_at, next.event_id) as nth
      from places cross join lateral (
        select d.ctid as row_id, d.endpoint_id, d.event_id, d.due_at from webhook_deliveries d
        where d.endpoint_id = places.endpoint_id and d.state = 'pending' and d.due_at <= statement_timestamp()
        order by d.due_at, d.event_id limit greatest(0, places.most - places.taken)
        for no key update skip locked
      ) next
    ), ranked as (
      select row_id, nth, row_number() over (order by nth) as place from due
    )
    update webhook_deliveries d
    set locked_by = ${workerId}, attempts = d.attempts + 1,
      due_at = clock_timestamp() + make_interval(secs => ${timeLimit("webhookClaim") / 1_000})
    from webhook_endpoints p, events e, integrators i
    where d.ctid = any(array(
      select row_id from ranked
      where place <= case nth when 1 then ${room}::int else ${roomForFurther}::int end
    )) and p.id = d.endpoint_id and e.integrator_id = p.integrator_id and e.id = d.event_id and i.id = p.integrator_id
    returning d.endpoint_id, p.integrator_id, p.format, d.event_id, d.attempts, d.failures, d.traceparent,
      e.event, e.api_version, i.environment, e.subject_type, e.subject_id, e.sequence::float8 as sequence, e.content,
      ${PERSONAL} as personal,
      (extract(epoch from e.created_at) * 1000)::float8 as created_at,
      (extract(epoch from d.created_at) * 1000)::float8 as recorded_at,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as at`);
  markClaim(tx, rows[0]);
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    integratorId: row.integrator_id,
    eventId: row.event_id,
    number: row.attempts,
    failures: row.failures,
    ...toEndpoint(byId.get(row.endpoint_id)),
    body: toNotificationBody(row.format, toStoredEvent(row)),
    traceparent: row.traceparent,
    claimedAt: new Date(row.at),
    waitedMs: row.attempts === 1 ? row.at - row.recorded_at : null,
    heldUntil: performance.now() + timeLimit("webhookClaim"),
  }));
}

/** The columns from which a claimed delivery's body is built. */
type ClaimedEvent = {
  integrator_id: string;
  event_id: string;
  event: string;
  api_version: string;
  environment: string;
  created_at: number;
  subject_type: string;
  subject_id: string;
  sequence: number;
  content: string;
  personal: string | null;
};

const PERSONAL = personalOfEvent({
  integratorId: sql`e.integrator_id`,
  id: sql`e.id`,
  event: sql`e.event`,
  content: sql`e.content`,
});

function toStoredEvent(row: ClaimedEvent): StoredEvent {
  return {
    id: row.event_id,
    event: row.event,
    apiVersion: row.api_version,
    environment: row.environment,
    createdAt: new Date(row.created_at),
    integratorId: row.integrator_id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    sequence: row.sequence,
    content: row.content,
    personal: row.personal,
  };
}

/** A claim number is assigned once and only grows, so a later number proves that this claim committed. */
function markClaim(
  tx: Tx,
  row: { endpoint_id: string; event_id: string; attempts: number } | undefined,
): void {
  if (row) {
    markCommit(
      tx,
      sql`exists (select from webhook_deliveries where endpoint_id = ${row.endpoint_id}
        and event_id = ${row.event_id} and attempts >= ${row.attempts}::int)`,
    );
  }
}

function toEndpoint(
  endpoint: LockedEndpoint | undefined,
): Pick<Claim, "url" | "isInUse" | "inboxTokenHash" | "secrets" | "headers"> {
  if (!endpoint || endpoint.url === null) {
    throw new Error("A delivery was claimed for an endpoint that was not requested.");
  }
  const { id, url, secret, previous_secrets: previous } = endpoint;
  const inboxTokenHash = endpoint.inbox_token_hash;
  return {
    url,
    isInUse: endpoint.in_use,
    inboxTokenHash,
    secrets: [secret, ...previous].map((each) => unseal(each, "signing secret", id)),
    headers: openHeaders(endpoint.headers, id),
  };
}
