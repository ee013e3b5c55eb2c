import { sql } from "drizzle-orm";
import { ClockOffset } from "#lib/api/edge/internal/clock-offset.ts";
import type { KeptBodies } from "#lib/api/edge/internal/kept-bodies.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { toMoment } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import { RANGE_BOUNDS } from "#lib/record/duration-ranges.ts";
import type { Db } from "#db/client.ts";
import { isUnavailable } from "#db/failures.ts";

/** One request as the log stores it. */
export interface LoggedRequest {
  integratorId: string | null;
  actor: ActorRef | null;
  operation: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  detail: string | null;
  cardId: string | null;
  durationMs: number;
  /** How much of the duration the caller asked to wait. The health of the account is counted without it. */
  waitedMs: number;
  requestId: string;
  address: string | null;
  apiVersion: string;
  idempotencyKey: string | null;
  replayed: boolean;
  bodies: KeptBodies;
}

/**
 * `startedAt` uses this process's monotonic clock. The row's time is the same moment by the database's clock.
 */
export interface WaitingRequest extends LoggedRequest {
  startedAt: number;
  /** Assigned at the first attempt to write the row; a retry keeps it. */
  dated?: { id: string; at: Date };
}

const offset = new ClockOffset();

/**
 * Assigns ids and times by the database's clock, so exactly that a card's timeline has a refused request between what
 * happened before and after it.
 */
export async function dateRows(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const before = performance.now();
  const { at: databaseNow } = await readMoment(db);
  const aheadMs = offset.learn(databaseNow.getTime(), { before, after: performance.now() });
  for (const row of rows) {
    const { at, newId } = toMoment(Math.round((row.startedAt + aheadMs) * 1_000));
    row.dated ??= { id: newId(), at };
  }
}

/**
 * Writes rows, splitting a rejected set in half until the offending row is isolated. That row is written without
 * anything that the caller sent.
 */
export async function insertRows(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const error = await attempt(() => insert(db, rows));
  const [first] = rows;
  if (error === null || !first) {
    return;
  }
  if (rows.length === 1) {
    await insertMinimal(db, first, error);
    return;
  }
  const middle = Math.ceil(rows.length / 2);
  await insertRows(db, rows.slice(0, middle));
  await insertRows(db, rows.slice(middle));
}

async function insertMinimal(db: Db, row: WaitingRequest, cause: unknown): Promise<void> {
  const error = await attempt(() => insert(db, [toMinimal(row)]));
  log.error(
    { err: error ?? cause, requestId: row.requestId },
    error === null
      ? "The database rejected a row of the API log; it was stored without what the caller sent."
      : "The database rejected a row of the API log.",
  );
}

/** @returns what the database rejected the rows with; null when it took them. */
async function attempt(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    if (isUnavailable(error)) {
      throw error;
    }
    return error;
  }
}

function toMinimal(row: WaitingRequest): WaitingRequest {
  return {
    ...row,
    actor: null,
    path: "",
    detail: null,
    cardId: null,
    address: null,
    idempotencyKey: null,
    bodies: { state: "limited", request: null, response: null },
  };
}

/**
 * One parameter per column, whatever the number of rows: with the query builder this would take a
 * third of the server's CPU time. The rows, their bodies, and the counts by hour are one statement, so that a row that
 * is written again after a lost answer is counted once.
 */
async function insert(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const column = <T>(read: (row: WaitingRequest) => T) => sql.param(rows.map(read));
  const withBodies = rows.some(({ bodies }) => bodies.request !== null);
  await db.execute(sql`
    with logged as (
      insert into api_log (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms,
        request_id, address, api_version, idempotency_key, replayed, bodies, created_at)
      select row.id, row.integrator_id, row.actor::jsonb, row.operation, row.method, row.path, row.status, row.code,
        row.detail, row.card_id, row.duration_ms, row.request_id, row.address, row.api_version, row.idempotency_key,
        row.replayed::boolean, row.bodies, to_timestamp(row.at / 1000)
      from unnest(
        ${column((row) => row.dated?.id)}::uuid[],
        ${column((row) => row.integratorId)}::uuid[],
        ${column((row) => row.actor && JSON.stringify(row.actor))}::text[],
        ${column((row) => row.operation)}::text[],
        ${column((row) => row.method)}::text[],
        ${column((row) => row.path)}::text[],
        ${column((row) => row.status)}::smallint[],
        ${column((row) => row.code)}::text[],
        ${column((row) => row.detail)}::text[],
        ${column((row) => row.cardId)}::uuid[],
        ${column((row) => row.durationMs)}::int[],
        ${column((row) => row.requestId)}::text[],
        ${column((row) => row.address)}::text[],
        ${column((row) => row.apiVersion)}::text[],
        ${column((row) => row.idempotencyKey)}::text[],
        ${column((row) => String(row.replayed))}::text[],
        ${column((row) => row.bodies.state)}::text[],
        ${column((row) => row.dated?.at.getTime())}::float8[]
      ) as row (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms, request_id,
        address, api_version, idempotency_key, replayed, bodies, at)
      on conflict (id) do nothing
      returning id, integrator_id, operation, code, duration_ms, created_at
    )${withBodies ? toBodiesInsert(rows.filter(({ bodies }) => bodies.request !== null)) : sql``}
    insert into api_log_hours as counted (integrator_id, hour, operation, code, range, requests)
    select integrator_id, date_trunc('hour', created_at, 'UTC'), operation, coalesce(code, ''),
      width_bucket(duration_ms - waited_ms, ${RANGE_BOUNDS_ARRAY}), count(*)
    from logged
    join unnest(
      ${column((row) => row.dated?.id)}::uuid[],
      ${column((row) => row.waitedMs)}::int[]
    ) as waited (id, waited_ms) using (id)
    where integrator_id is not null and operation is not null
    group by 1, 2, 3, 4, 5
    -- In one order everywhere, so that two servers never wait for each other.
    order by 1, 2, 3, 4, 5
    on conflict (integrator_id, hour, operation, code, range)
      do update set requests = counted.requests + excluded.requests`);
}

const RANGE_BOUNDS_ARRAY = sql.raw(`'{${RANGE_BOUNDS.join(",")}}'::int[]`);

function toBodiesInsert(rows: readonly WaitingRequest[]) {
  const column = <T>(read: (row: WaitingRequest) => T) => sql.param(rows.map(read));
  return sql`,
    bodies as (
      insert into api_log_bodies (id, integrator_id, request, response, created_at)
      select logged.id, logged.integrator_id, row.request, row.response, logged.created_at
      from unnest(
        ${column((row) => row.dated?.id)}::uuid[],
        ${column((row) => row.bodies.request)}::text[],
        ${column((row) => row.bodies.response)}::text[]
      ) as row (id, request, response)
      join logged using (id)
    )`;
}
