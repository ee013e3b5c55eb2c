import { inArray } from "drizzle-orm";
import { dateRows, writeRows } from "#lib/api/edge/internal/api-log-rows.ts";
import type { LoggedRequest, WaitingRequest } from "#lib/api/edge/internal/api-log-rows.ts";
import { log } from "#lib/base/log.ts";
import { toPrintable } from "#lib/base/printable.ts";
import { addDeprecatedCalls } from "#lib/access/deprecated-calls.ts";
import type { CountedCalls } from "#lib/access/deprecated-calls.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";

/** A request is in the log within this time. A page that follows the log shows it within two seconds. */
const PERIOD_MS = 500;
/**
 * The most requests waiting to be written. Beyond it we drop the newest rather than grow memory.
 */
const WAITING_MAX = 20_000;
/** The most waiting requests that may have bodies: up to 32 MB. */
const WAITING_BODIES_MAX = 1_000;
const WRITTEN_AT_ONCE_MAX = 250;
const KEY_USE_PERIOD_MS = 60_000;
const PATH_MAX = 500;
const DETAIL_MAX = 500;

let waiting: WaitingRequest[] = [];
let waitingBodies = 0;
const usedKeys = new Map<string, number>();
const keysToTouch = new Set<string>();
const deprecated = new Map<string, CountedCalls>();
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

/**
 * Queues the log row of an answered request. It is written within half a second, off the request's path.
 */
export function logRequest(request: LoggedRequest): void {
  if (waiting.length < WAITING_MAX) {
    waiting.push(toWaiting(request));
    waitingBodies += hasBodies(request) ? 1 : 0;
  }
}

/** The request, with its text converted to what the database can store. */
function toWaiting(request: LoggedRequest): WaitingRequest {
  return {
    ...request,
    path: toPrintable(request.path, PATH_MAX),
    detail: request.detail === null ? null : toPrintable(request.detail, DETAIL_MAX),
    startedAt: performance.now() - request.durationMs,
  };
}

/** Whether another request may keep its bodies until it is written. */
export function hasRoomForBodies(): boolean {
  return waitingBodies < WAITING_BODIES_MAX;
}

function hasBodies({ bodies }: LoggedRequest): boolean {
  return bodies.state === "kept";
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

/** Starts writing twice per second. */
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
 * that the database rejects is written without what the caller sent, and affects no other row.
 */
export function flushApiLog(): Promise<void> {
  writing = writing.then(write).catch((error: unknown) => {
    log.error({ err: error }, "Could not write the API log.");
  });
  return writing;
}

/**
 * Writes the rows that wait now. Rows that arrive meanwhile wait for the next period, because few at a time are
 * costly.
 */
async function write(): Promise<void> {
  const db = database();
  for (let left = waiting.length; left > 0; left -= WRITTEN_AT_ONCE_MAX) {
    const rows = waiting.splice(0, Math.min(left, WRITTEN_AT_ONCE_MAX));
    try {
      await dateRows(db, rows);
      await writeRows(db, rows);
    } catch (error) {
      // Some may have been written already; their ids prevent duplicates.
      waiting = [...rows, ...waiting].slice(0, WAITING_MAX);
      throw error;
    } finally {
      waitingBodies = waiting.filter(hasBodies).length;
    }
  }
  await writeUses();
}

async function writeUses(): Promise<void> {
  const db = database();
  const keys = [...keysToTouch];
  keysToTouch.clear();
  if (keys.length > 0) {
    await db.update(apiKeys).set({ lastUsedAt: NOW }).where(inArray(apiKeys.id, keys));
  }
  await writeDeprecated(db);
}

/** Counts that could not be written are kept for the next attempt. */
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
