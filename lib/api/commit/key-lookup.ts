import { sql } from "drizzle-orm";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { isSealed } from "#lib/api/commit/idempotency-keys.ts";
import { isRunning } from "#lib/api/commit/perform.ts";
import type { KeyedRequest } from "#lib/api/wire/keyed-request.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";
import type { Member } from "#lib/base/actor.ts";
import type { ReadContext } from "#lib/base/context.ts";

/**
 * Looks up a request without performing it. An answer that is not found is reported as `unknown` only if
 * no request held the key before the search began: the search must see a later snapshot than the check.
 * A request that has not reached the database yet may still take effect later.
 * @param read reads in a snapshot of its own each time, with one statement.
 */
export async function lookUpKey(
  read: <T>(one: (ctx: ReadContext) => Promise<T>) => Promise<T>,
  { actor, key }: { actor: Member; key: string },
): Promise<KeyedRequest> {
  const name = toIdempotencyName(actor.integratorId, key);
  const isInProgress =
    isRunning({ scope: actor.integratorId, name }) || (await read((ctx) => isLocked(ctx, name)));
  const row = await read((ctx) => findAnswer(ctx, name));
  if (row) {
    return row.status === null ? { state: "expired" } : toAnswered(row, actor);
  }
  return { state: isInProgress ? "in_progress" : "unknown" };
}

type AnswerRow =
  | { status: null }
  | {
      operation: string | null;
      status: number;
      body: string | null;
      request_id: string;
      created_at: string;
      waits: boolean;
    };

async function findAnswer({ db, actor }: ReadContext, name: string) {
  const [row] = await db.execute<AnswerRow>(sql`
    select kept.operation, kept.status, kept.body, kept.request_id, kept.created_at,
      coalesce(asked.status = 'waiting', false) as waits
    from (select ${actor.integratorId}::uuid as integrator_id, ${name}::text as key) requested
    left join idempotent_requests kept using (integrator_id, key)
    left join transfers moved
      on moved.integrator_id = requested.integrator_id and moved.idempotency_key = requested.key
    left join approvals asked on asked.integrator_id = requested.integrator_id
      and asked.id = case when kept.status = 202 then (kept.body::jsonb #>> '{data,approval,id}')::uuid end
    where kept.key is not null or moved.id is not null
    limit 1`);
  return row;
}

/**
 * Whether a transaction holds the key. Reads the list of locks instead of trying the lock, which could
 * make the request itself wait.
 */
async function isLocked({ db, actor }: ReadContext, name: string): Promise<boolean> {
  const [row] = await db.execute<{ locked: boolean }>(sql`
    select exists (
      select from pg_locks held
      where held.locktype = 'advisory' and held.objsubid = 1 and held.granted
        and held.database = (select oid from pg_database where datname = current_database())
        and held.classid::bigint = (claim.hash >> 32) & 4294967295
        and held.objid::bigint = claim.hash & 4294967295
    ) as locked
    from (select hashtextextended(${actor.integratorId} || ' ' || ${name}, 0) as hash) claim`);
  return row?.locked ?? false;
}

/**
 * Any credential of the integrator may see the status. Seeing the body takes the scope that a repeat of the request
 * would.
 */
function toAnswered(row: Extract<AnswerRow, { status: number }>, actor: Member): KeyedRequest {
  const { operation, status, body, request_id: requestId, created_at: completedAt } = row;
  const scope = OPERATIONS.find(({ id }) => id === operation)?.scope ?? null;
  const isShown = scope !== null && actor.scopes.has(scope) && body !== null && !isSealed(body);
  return {
    state: row.waits ? "waiting_for_approval" : "completed",
    operation,
    status,
    body: isShown ? JSON.parse(body) : null,
    requestId,
    completedAt: new Date(completedAt),
  };
}
