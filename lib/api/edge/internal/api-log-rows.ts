import { sql } from "drizzle-orm";
import { ClockOffset } from "#lib/api/edge/internal/clock-offset.ts";
import type { KeptBodies } from "#lib/api/edge/internal/kept-bodies.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { toMoment } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import { RANGE_BOUNDS } from "#lib/record/duration-ranges.ts";
import type { Db } from "#db/client.ts";
import { insertRows } from "#db/insert-rows.ts";
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
  /** How much of the duration the caller asked to wait. The account's health does not count it. */
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
 * Assigns ids and times by the database's clock. They are exact enough that a card's timeline shows a refused request
 * between what happened before and after it.
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
export async function writeRows(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
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
  await writeRows(db, rows.slice(0, middle));
  await writeRows(db, rows.slice(middle));
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

/** @returns the error with which the database rejected the rows; null when it accepted them. */
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
 * Inserts with one parameter per column, whatever the number of rows: the query builder would take a third of the
 * server's CPU time. The rows, their bodies, and the counts by hour are one statement, so that a row that is written
 * again after a lost answer is counted once.
 */
async function insert(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const column = <T>(read: (row: WaitingRequest) => T) => sql.param(rows.map(read));
  const logged = insertRows("api_log", rows, {
    id: ["uuid", ({ dated }) => dated?.id ?? null],
    integrator_id: ["uuid", (row) => row.integratorId],
    actor: ["jsonb", (row) => row.actor],
    operation: ["text", (row) => row.operation],
    method: ["text", (row) => row.method],
    path: ["text", (row) => row.path],
    status: ["smallint", (row) => row.status],
    code: ["text", (row) => row.code],
    detail: ["text", (row) => row.detail],
    card_id: ["uuid", (row) => row.cardId],
    duration_ms: ["int", (row) => row.durationMs],
    request_id: ["text", (row) => row.requestId],
    address: ["text", (row) => row.address],
    api_version: ["text", (row) => row.apiVersion],
    idempotency_key: ["text", (row) => row.idempotencyKey],
    replayed: ["boolean", (row) => row.replayed],
    bodies: ["text", ({ bodies }) => bodies.state],
    created_at: ["timestamptz", ({ dated }) => dated?.at ?? null],
  });
  const withBodies = rows.some(({ bodies }) => bodies.request !== null);
  await db.execute(sql`
    with logged as (
      ${logged}
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
