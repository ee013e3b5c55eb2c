import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { requireNotifications } from "#lib/webhooks/endpoints.ts";
import { auditEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import { lockEndpoint } from "#lib/webhooks/internal/endpoint-row.ts";
import { DUE_NOW } from "#db/schema/webhooks.ts";
import { onCommit } from "#db/transaction.ts";

/** How far back missed events can be recovered, and how many at once. */
export const RECOVERABLE_DAYS = 30;
const RECOVERED_MAX = 10_000;

/** `known` has failed, and its next attempt is yet to come. */
const WAITING = sql`known.state = 'pending' and known.failures > 0 and known.locked_by is null
  and known.due_at > statement_timestamp()`;

/**
 * Selects the events (as `e`) that a recovery resends, oldest first: those whose delivery (as `known`) failed or was
 * stopped, and those that the endpoint selects but that have no delivery to it. A test without one was for another
 * endpoint.
 */
function missedSince({ integratorId, endpointId, since }: Recovery): SQL {
  return sql`
    from webhook_endpoints p join events e on e.integrator_id = p.integrator_id
    left join webhook_deliveries known on known.endpoint_id = p.id and known.event_id = e.id
    where p.id = ${endpointId} and p.integrator_id = ${integratorId} and p.deleted_at is null
      and e.integrator_id = ${integratorId} and e.id >= ${firstIdAt(since.getTime())}
      and e.created_at >= clock_timestamp() - make_interval(days => ${RECOVERABLE_DAYS})
      and case when known.state is null then e.event <> 'webhook.test' and (p.events is null or e.event = any(p.events))
        else known.state in ('stopped', 'exhausted') or ${WAITING} end
    order by e.id limit ${RECOVERED_MAX}`;
}

/** Which missed events to recover, and for which endpoint. */
interface Recovery {
  integratorId: string;
  endpointId: string;
  since: Date;
}

/** What a recovery would resend. */
export interface Missed {
  /** How many, not counting `waiting`. */
  count: number;
  /** How many have failed, and wait for their next attempt. */
  waiting: number;
  complete: boolean;
  /** How many of each event, the most frequent first. */
  byEvent: readonly { event: string; count: number }[];
  oldestAt: Date | null;
  newestAt: Date | null;
}

/** Counts what `recoverDeliveries` would resend now: nothing to another integrator's endpoint. */
export async function countMissed(
  ctx: ReadContext,
  since: Date,
  endpointId: string = ctx.actor.integratorId,
): Promise<Missed> {
  const { integratorId } = ctx.actor;
  const all = await ctx.db.execute<{
    event: string;
    waiting: boolean;
    count: number;
    first: number;
    last: number;
  }>(sql`
    select event, waiting, count(*)::int as count, extract(epoch from min(created_at))::float8 * 1000 as first,
      extract(epoch from max(created_at))::float8 * 1000 as last
    from (select e.event, e.created_at, coalesce(${WAITING}, false) as waiting
      ${missedSince({ integratorId, endpointId, since })}) as missed
    group by event, waiting order by count desc, event`);
  const rows = all.filter((row) => !row.waiting);
  const toSum = (counted: typeof rows) => counted.reduce((sum, row) => sum + row.count, 0);
  const total = toSum(all);
  const count = toSum(rows);
  const isAny = rows.length > 0;
  return {
    count,
    waiting: total - count,
    complete: total < RECOVERED_MAX,
    byEvent: rows.map(({ event, count: each }) => ({ event, count: each })),
    oldestAt: isAny ? new Date(Math.min(...rows.map(({ first }) => first))) : null,
    newestAt: isAny ? new Date(Math.max(...rows.map(({ last }) => last))) : null,
  };
}

/**
 * Resends events since a given time that never arrived: deliveries that were exhausted or stopped, those that have
 * failed and wait for their next attempt, and events that were not sent because notifications were off. Each starts
 * over with all its retries. Goes back at most 30 days, and resends at most 10,000 events per call, oldest first.
 * @returns how many are pending now, and whether that was all.
 * @throws DomainError `endpoint_not_found`, `webhook_url_missing`, `notifications_switched_off`.
 */
export async function recoverDeliveries(
  ctx: WriteContext,
  since: Date,
  endpointId: string = ctx.actor.integratorId,
): Promise<{ recovered: number; complete: boolean }> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  await lockEndpoint(tx, integratorId, endpointId);
  await requireNotifications(toReadContext(ctx), endpointId);
  const rows = await tx.execute(sql`
    insert into webhook_deliveries as d (endpoint_id, event_id, event, card_id, due_at)
    select p.id, e.id, e.event, case when e.subject_type = 'card' then e.subject_id end, ${DUE_NOW}
    ${missedSince({ integratorId, endpointId, since })}
    on conflict (endpoint_id, event_id)
      do update set state = 'pending', failures = 0, due_at = excluded.due_at
    returning d.event_id`);
  onCommit(tx, wakeWorkers);
  const recovered = rows.length;
  await auditEndpoint(ctx, "webhooks.recovered", {
    endpointId,
    after: { since: since.toISOString(), recovered },
  });
  return { recovered, complete: recovered < RECOVERED_MAX };
}
