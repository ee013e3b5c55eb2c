import { sql } from "drizzle-orm";
import { endpointBack } from "#lib/messages/kinds/endpoint-back.ts";
import { endpointFailing } from "#lib/messages/kinds/endpoint-failing.ts";
import { switchOff } from "#lib/webhooks/endpoints.ts";
import type { Claim } from "#lib/webhooks/internal/claim.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { FAILING_MAX_HOURS } from "#lib/webhooks/delivery-states.ts";
import type { Failure } from "#lib/webhooks/delivery-states.ts";
import { toRetryDelayMs } from "#lib/webhooks/internal/retry-schedule.ts";
import type { AttemptResult } from "#lib/webhooks/internal/send.ts";
import { tellOfEndpoint } from "#lib/webhooks/internal/tell-of-endpoint.ts";
import { insertRows } from "#db/insert-rows.ts";
import { DUE_NOW } from "#db/schema/webhooks.ts";
import { inUpkeep, markCommit, onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** A completed attempt. */
export interface CompletedAttempt {
  claim: Claim;
  result: AttemptResult;
  /** On the database's clock. */
  startedAt: Date;
  requestHeaders: Readonly<Record<string, string>>;
}

/** The most concurrent attempts at one endpoint, across all workers. */
const IN_FLIGHT_MAX = 64;

/** A slower answer does not raise the concurrency. */
const IN_TIME_MS = 2_000;

/** An endpoint that failed for a shorter time is not treated as recovered from an outage. */
const OUTAGE_MIN_S = 60;

/** After this many minutes of failures, people are told. */
const TOLD_AFTER_MIN = 60;

const REFUSALS: readonly Failure[] = ["rejected", "redirected", "gone"];

/** The least time between recorded successes of a working endpoint. */
const SUCCESS_PERIOD_S = 10;

/**
 * Records any number of attempts and their consequences in one transaction. An attempt whose claim expired or
 * was revoked is kept for display and changes nothing else: another worker has the delivery now.
 */
export async function recordAttempts(
  db: Db,
  workerId: string,
  attempts: readonly CompletedAttempt[],
): Promise<void> {
  if (attempts.length === 0) {
    return;
  }
  await inUpkeep(db, async (tx) => {
    // Lock the endpoints first, in a fixed order, as claims and changes to an endpoint do: otherwise these transactions
    // could deadlock on deliveries.
    await tx.execute(sql`
      select from webhook_endpoints where id = any(${sql.param([
        ...new Set(attempts.map(({ claim }) => claim.endpointId)),
      ])}::uuid[]) order by id for no key update`);
    await insertAttempts(tx, attempts);
    const [first] = attempts;
    markCommit(
      tx,
      sql`exists (select from webhook_attempts where endpoint_id = ${first?.claim.endpointId}
        and event_id = ${first?.claim.eventId} and number = ${first?.claim.number})`,
    );
    const counted = await updateDeliveries(tx, workerId, attempts);
    await noteHealth(tx, counted);
  });
}

async function insertAttempts(tx: Tx, attempts: readonly CompletedAttempt[]): Promise<void> {
  const inserted = insertRows("webhook_attempts", attempts, {
    endpoint_id: ["uuid", ({ claim }) => claim.endpointId],
    event_id: ["uuid", ({ claim }) => claim.eventId],
    number: ["int", ({ claim }) => claim.number],
    url: ["text", ({ claim }) => claim.url],
    address: ["text", ({ result }) => result.address],
    started_at: ["timestamptz", ({ startedAt }) => startedAt],
    duration_ms: ["int", ({ result }) => result.durationMs],
    status: ["smallint", ({ result }) => result.status],
    failure: ["text", ({ result }) => result.failure],
    detail: ["text", ({ result }) => result.detail],
    request_headers: ["jsonb", ({ requestHeaders }) => requestHeaders],
    response_headers: ["jsonb", ({ result }) => result.responseHeaders],
    response_body: ["text", ({ result }) => result.responseBody],
  });
  await tx.execute(sql`
    ${inserted}
    cross join lateral (
      select from webhook_deliveries where endpoint_id = row.endpoint_id and event_id = row.event_id offset 0
    ) d
    on conflict do nothing`);
}

/** Updates the deliveries, and returns the attempts whose claim still held. */
async function updateDeliveries(
  tx: Tx,
  workerId: string,
  attempts: readonly CompletedAttempt[],
): Promise<CompletedAttempt[]> {
  const column = <T>(read: (attempt: CompletedAttempt) => T) => sql.param(attempts.map(read));
  const endpoints = sql.param([...new Set(attempts.map(({ claim }) => claim.endpointId))]);
  const ids = column(({ claim }) => claim.eventId);
  const rows = await tx.execute<{ endpoint_id: string; event_id: string; attempts: number }>(sql`
    update webhook_deliveries d
    set state = case when row.failure is null then 'delivered' when row.delay_ms is null then 'exhausted'
        else 'pending' end,
      locked_by = null,
      due_at = clock_timestamp() + make_interval(secs => coalesce(row.delay_ms, 0) / 1000),
      failures = d.failures + case when row.failure is null then 0 else 1 end,
      delivered_at = case when row.failure is null then clock_timestamp() end,
      last_attempt_at = to_timestamp(row.at / 1000), last_status = row.status, last_failure = row.failure
    from unnest(
      ${column(({ claim }) => claim.endpointId)}::uuid[],
      ${ids}::uuid[],
      ${column(({ claim }) => claim.number)}::int[],
      ${column(({ startedAt }) => startedAt.getTime())}::float8[],
      ${column(({ result }) => result.status)}::smallint[],
      ${column(({ result }) => result.failure)}::text[],
      ${column(toDelayMs)}::float8[]
    ) as row (endpoint_id, event_id, number, at, status, failure, delay_ms)
    where d.endpoint_id = any(${endpoints}::uuid[]) and d.event_id = any(${ids}::uuid[])
      and d.endpoint_id = row.endpoint_id and d.event_id = row.event_id
      and d.locked_by = ${workerId} and d.attempts = row.number
    returning d.endpoint_id, d.event_id, d.attempts`);
  const held = new Set(rows.map((row) => `${row.endpoint_id} ${row.event_id} ${row.attempts}`));
  return attempts.filter(({ claim }) =>
    held.has(`${claim.endpointId} ${claim.eventId} ${claim.number}`),
  );
}

function toDelayMs({ claim, result }: CompletedAttempt): number | null {
  const { failure, status, retryAfterS } = result;
  return failure === null
    ? 0
    : toRetryDelayMs({ failures: claim.failures + 1, failure, status, retryAfterS }, Math.random());
}

async function noteHealth(tx: Tx, attempts: readonly CompletedAttempt[]): Promise<void> {
  const byEndpoint = Map.groupBy(attempts, ({ claim }) => claim.endpointId);
  for (const [endpointId, ofEndpoint] of byEndpoint) {
    const health = await noteEndpoint(tx, endpointId, {
      hasArrived: ofEndpoint.some(({ result }) => result.failure === null),
      hasFailed: ofEndpoint.some(({ result }) => result.failure !== null),
      inTime: ofEndpoint.filter(({ result }) => isInTime(result)).length,
    });
    if (ofEndpoint.some(({ result }) => result.failure === "gone")) {
      await switchOff(tx, endpointId, "gone");
    } else if (health?.too_long) {
      await switchOff(tx, endpointId, "failing");
    } else if (health?.fails_for_long) {
      await tellOfEndpoint(tx, endpointId, endpointFailing);
    } else if (health?.failed_for_long) {
      await tellOfEndpoint(tx, endpointId, endpointBack);
    }
  }
}

function isInTime({ failure, durationMs }: AttemptResult): boolean {
  return failure === null && durationMs <= IN_TIME_MS;
}

/** What an endpoint's health has become. Null is no. */
interface Health extends Record<string, boolean | null> {
  too_long: boolean | null;
  is_back: boolean | null;
  /** It has now failed for `TOLD_AFTER_MIN`. True once per outage, so that people are told once. */
  fails_for_long: boolean | null;
  /** It works again after an outage that people were told about. */
  failed_for_long: boolean | null;
}

/**
 * The concurrency doubles with each round of answers that all arrived in time, and halves after a round with
 * a failure.
 */
async function noteEndpoint(
  tx: Tx,
  endpointId: string,
  { hasArrived, hasFailed, inTime }: { hasArrived: boolean; hasFailed: boolean; inTime: number },
): Promise<Health | undefined> {
  const long = sql`make_interval(mins => ${TOLD_AFTER_MIN})`;
  const [row] = await tx.execute<Health>(sql`
    update webhook_endpoints
    set last_success_at = case when ${hasArrived} then clock_timestamp() else last_success_at end,
      last_failure_at = case when ${hasFailed} then clock_timestamp() else last_failure_at end,
      failing_since = case when ${hasArrived} then null else coalesce(failing_since, clock_timestamp()) end,
      in_flight_max = case when ${hasFailed} then greatest(1, in_flight_max / 2)
        else least(${IN_FLIGHT_MAX}, in_flight_max + ${inTime}::int) end
    from (
      select failing_since as since, greatest(failing_since, last_failure_at) as last
      from webhook_endpoints where id = ${endpointId}
    ) as before
    where id = ${endpointId} and (${hasFailed} or in_flight_max < ${IN_FLIGHT_MAX} and ${inTime}::int > 0 or failing_since is not null or last_success_at is null
      or last_success_at < clock_timestamp() - make_interval(secs => ${SUCCESS_PERIOD_S}))
    returning failing_since < clock_timestamp() - make_interval(hours => ${FAILING_MAX_HOURS}) as too_long,
      ${hasArrived} and since < clock_timestamp() - make_interval(secs => ${OUTAGE_MIN_S}) as is_back,
      failing_since <= clock_timestamp() - ${long} and last < since + ${long} as fails_for_long,
      ${hasArrived} and last >= since + ${long} as failed_for_long`);
  if (row?.is_back) {
    await attemptWaiting(tx, endpointId);
  }
  return row;
}

/**
 * After an outage, deliveries that failed during it are attempted now. Deliveries that the endpoint refused keep their
 * schedule: the endpoint was up, and will most likely refuse them again.
 */
async function attemptWaiting(tx: Tx, endpointId: string): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set due_at = ${DUE_NOW}
    where endpoint_id = ${endpointId} and state = 'pending' and failures > 0 and locked_by is null
      and due_at > statement_timestamp() and last_failure <> all(${sql.param(REFUSALS)}::text[])`);
  onCommit(tx, wakeWorkers);
}
