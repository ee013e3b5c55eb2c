import { inArray, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { toMoment } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { addDeprecatedCalls } from "#lib/access/deprecated-calls.ts";
import type { CountedCalls } from "#lib/access/deprecated-calls.ts";
import { readMoment } from "#lib/base/moment.ts";
import { toPrintable } from "#lib/base/printable.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { database } from "#db/client.ts";
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
  requestId: string;
  address: string | null;
}

const PERIOD_MS = 1_000;
/**
 * The most requests waiting to be written. Beyond it we drop the newest rather than grow memory.
 */
const WAITING_MAX = 20_000;
const WRITTEN_AT_ONCE_MAX = 1_000;
const KEY_USE_PERIOD_MS = 60_000;
const PATH_MAX = 500;
const DETAIL_MAX = 500;

/**
 * `startedAt` uses this process's monotonic clock. The row's time is the database's clock minus the
 * age of the row.
 */
interface WaitingRequest extends LoggedRequest {
  startedAt: number;
  /** Assigned at the first attempt to write the row; a retry keeps it. */
  dated?: { id: string; at: Date };
}

let waiting: WaitingRequest[] = [];
const usedKeys = new Map<string, number>();
const keysToTouch = new Set<string>();
const deprecated = new Map<string, CountedCalls>();
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

/**
 * Queues the log row of an answered request. It is written within a second, off the request's path.
 */
export function logRequest(request: LoggedRequest): void {
  if (waiting.length < WAITING_MAX) {
    waiting.push({
      ...request,
      path: toPrintable(request.path, PATH_MAX),
      detail: request.detail === null ? null : toPrintable(request.detail, DETAIL_MAX),
      startedAt: performance.now() - request.durationMs,
    });
  }
}

/** Notes that a key was used; its row shows that within a minute. */
export function noteKeyUse(apiKeyId: string): void {
  const now = Date.now();
  if (now - (usedKeys.get(apiKeyId) ?? 0) >= KEY_USE_PERIOD_MS) {
    usedKeys.set(apiKeyId, now);
    keysToTouch.add(apiKeyId);
  }
}

/** Counts a call to a deprecated operation, per key. */
export function noteDeprecatedUse(use: Omit<CountedCalls, "calls">): void {
  countDeprecated({ ...use, calls: 1 });
}

function countDeprecated(counted: CountedCalls): void {
  const name = `${counted.apiKeyId} ${counted.operation}`;
  const before = deprecated.get(name)?.calls ?? 0;
  deprecated.set(name, { ...counted, calls: before + counted.calls });
}

/** Starts writing once per second. */
export function startApiLog(): void {
  timer = setInterval(() => void flushApiLog(), PERIOD_MS);
  timer.unref();
}

/** Writes the remaining rows and stops. */
export async function stopApiLog(): Promise<void> {
  clearInterval(timer);
  await flushApiLog();
}

/**
 * Writes everything queued so far. While the database is down, rows wait, up to their bound. A row
 * that the database rejects is logged and lost without affecting any other row.
 */
export function flushApiLog(): Promise<void> {
  writing = writing.then(write).catch((error: unknown) => {
    log.error({ err: error }, "Could not write the API log.");
  });
  return writing;
}

async function date(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const { at: databaseNow } = await readMoment(db);
  const now = performance.now();
  for (const row of rows) {
    const micros = Math.round((databaseNow.getTime() - (now - row.startedAt)) * 1_000);
    const { at, newId } = toMoment(micros);
    row.dated ??= { id: newId(), at };
  }
}

/** Writes rows, splitting a rejected set in half until the offending row is isolated. */
async function insertEach(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  try {
    await insert(db, rows);
  } catch (error) {
    if (isUnavailable(error)) {
      throw error;
    }
    const [first] = rows;
    if (rows.length <= 1) {
      log.error(
        { err: error, requestId: first?.requestId },
        "The database rejected a row of the API log.",
      );
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    await insertEach(db, rows.slice(0, middle));
    await insertEach(db, rows.slice(middle));
  }
}

/**
 * One parameter per column, whatever the number of rows: with the query builder this would take a
 * third of the server's CPU time.
 */
async function insert(db: Db, rows: readonly WaitingRequest[]): Promise<void> {
  const column = <T>(read: (row: WaitingRequest) => T) => sql.param(rows.map(read));
  await db.execute(sql`
    insert into api_log (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms,
      request_id, address, created_at)
    select row.id, row.integrator_id, row.actor::jsonb, row.operation, row.method, row.path, row.status, row.code,
      row.detail, row.card_id, row.duration_ms, row.request_id, row.address,
      to_timestamp(row.at / 1000)
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
      ${column((row) => row.dated?.at.getTime())}::float8[]
    ) as row (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms, request_id,
      address, at)
    on conflict (id) do nothing`);
}

async function write(): Promise<void> {
  const db = database();
  while (waiting.length > 0) {
    const rows = waiting.splice(0, WRITTEN_AT_ONCE_MAX);
    try {
      await date(db, rows);
      await insertEach(db, rows);
    } catch (error) {
      // Some may have been written already; their ids prevent duplicates.
      waiting = [...rows, ...waiting].slice(0, WAITING_MAX);
      throw error;
    }
  }
  const keys = [...keysToTouch];
  keysToTouch.clear();
  if (keys.length > 0) {
    await db.update(apiKeys).set({ lastUsedAt: NOW }).where(inArray(apiKeys.id, keys));
  }
  await writeDeprecated(db);
}

/** Counts that could not be written are kept for the next time. */
async function writeDeprecated(db: Db): Promise<void> {
  const counted = [...deprecated.values()];
  deprecated.clear();
  if (counted.length === 0) {
    return;
  }
  try {
    await addDeprecatedCalls(db, counted);
  } catch (error) {
    for (const each of counted) {
      countDeprecated(each);
    }
    throw error;
  }
}
