import { inArray, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/actor.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys, deprecatedUses } from "#db/schema/integrators.ts";
import { database } from "#db/client.ts";
import type { Db } from "#db/client.ts";

/** One request as the log keeps it. */
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
/** Requests that wait to be written; beyond this the newest are dropped rather than memory grown. */
const WAITING_MAX = 20_000;
const WRITTEN_AT_ONCE_MAX = 1_000;
const KEY_USE_PERIOD_MS = 60_000;
const PATH_MAX = 500;

interface DeprecatedUse {
  integratorId: string;
  apiKeyId: string;
  operation: string;
  calls: number;
}

const waiting: (LoggedRequest & { id: string })[] = [];
const usedKeys = new Map<string, number>();
const keysToTouch = new Set<string>();
const deprecated = new Map<string, DeprecatedUse>();
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

/** Notes a request; it is written within a second, off the request's path. */
export function logRequest(request: LoggedRequest): void {
  if (waiting.length < WAITING_MAX) {
    waiting.push({ ...request, path: request.path.slice(0, PATH_MAX), id: newId() });
  }
}

/** Notes that a key was used; its row says so within a minute. */
export function noteKeyUse(apiKeyId: string): void {
  const now = Date.now();
  if (now - (usedKeys.get(apiKeyId) ?? 0) >= KEY_USE_PERIOD_MS) {
    usedKeys.set(apiKeyId, now);
    keysToTouch.add(apiKeyId);
  }
}

/** Counts a call of a deprecated operation, per key. */
export function noteDeprecatedUse(use: Omit<DeprecatedUse, "calls">): void {
  const name = `${use.apiKeyId} ${use.operation}`;
  deprecated.set(name, { ...use, calls: (deprecated.get(name)?.calls ?? 0) + 1 });
}

/** Starts writing once a second. */
export function startApiLog(): void {
  timer = setInterval(() => void flushApiLog(), PERIOD_MS);
  timer.unref();
}

/** Writes what is left and stops. */
export async function stopApiLog(): Promise<void> {
  clearInterval(timer);
  await flushApiLog();
}

/** Writes everything noted so far. What cannot be written is lost and logged: it is a record, not money. */
export function flushApiLog(): Promise<void> {
  writing = writing.then(write).catch((error: unknown) => {
    log.error({ err: error }, "The API log could not be written.");
  });
  return writing;
}

/** One parameter a column, whatever the number of rows: the builder would take a third of the server's time for it. */
async function insert(db: Db, rows: typeof waiting): Promise<void> {
  const column = <T>(read: (row: (typeof waiting)[number]) => T) => sql.param(rows.map(read));
  await db.execute(sql`
    insert into api_log (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms,
      request_id, address)
    select row.id, row.integrator_id, row.actor::jsonb, row.operation, row.method, row.path, row.status, row.code,
      row.detail, row.card_id, row.duration_ms, row.request_id, row.address
    from unnest(
      ${column((row) => row.id)}::uuid[],
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
      ${column((row) => row.address)}::text[]
    ) as row (id, integrator_id, actor, operation, method, path, status, code, detail, card_id, duration_ms, request_id,
      address)`);
}

async function write(): Promise<void> {
  const db = database();
  while (waiting.length > 0) {
    await insert(db, waiting.splice(0, WRITTEN_AT_ONCE_MAX));
  }
  const keys = [...keysToTouch];
  keysToTouch.clear();
  if (keys.length > 0) {
    await db.update(apiKeys).set({ lastUsedAt: NOW }).where(inArray(apiKeys.id, keys));
  }
  const uses = [...deprecated.values()];
  deprecated.clear();
  if (uses.length > 0) {
    await db
      .insert(deprecatedUses)
      .values(uses)
      .onConflictDoUpdate({
        target: [deprecatedUses.integratorId, deprecatedUses.apiKeyId, deprecatedUses.operation],
        set: { calls: sql`${deprecatedUses.calls} + excluded.calls`, lastAt: NOW },
      });
  }
}
