import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";
import { toDeliveryId } from "#lib/record/delivery-ids.ts";
import { listEndpoints, requireNotifications } from "#lib/webhooks/endpoints.ts";
import { auditEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import { lockEndpoint, ownEndpoint } from "#lib/webhooks/internal/endpoint-row.ts";
import { notFound } from "#lib/base/errors.ts";
import { isNamed, literal } from "#lib/webhooks/event-reads.ts";
import { firstIdAt, isId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { STORED_EVENT } from "#lib/record/event-body.ts";
import { toNotificationBody } from "#lib/webhooks/internal/notification-body.ts";
import { events } from "#db/schema/events.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { onCommit } from "#db/transaction.ts";

/** The delivery of an event to an endpoint. The receiver gets the event's id as `webhook-id`. */
export interface Delivery extends DeliveryRow {
  /** See `toDeliveryId`. */
  id: string;
}

type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** One HTTP attempt of a delivery. */
export type Attempt = Omit<typeof webhookAttempts.$inferSelect, "endpointId" | "eventId">;

/** Which deliveries to list. Without an `endpointId`, those to the first endpoint. */
export interface DeliveryFilter extends Period {
  endpointId?: string | undefined;
  states?: readonly DeliveryState[] | undefined;
  events?: readonly EventName[] | undefined;
  cardId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** How far back missed events can be recovered, and how many at once. */
export const RECOVERABLE_DAYS = 30;
const RECOVERED_MAX = 10_000;

/** How many attempts of one delivery are shown. A delivery has at most ten unless it is resent repeatedly. */
const ATTEMPTS_SHOWN_MAX = 100;

/** Lists the deliveries to an endpoint, newest first. Another integrator's endpoint has none. */
export async function listDeliveries(
  ctx: ReadContext,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> {
  const { integratorId } = ctx.actor;
  const { endpointId = integratorId } = filter;
  const cursor = requireCursor(filter.cursor);
  const rows = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, ownEndpoint(integratorId, endpointId)),
        filter.states && isInState(filter.states),
        filter.events && isNamed(webhookDeliveries.event, filter.events, sql.param(filter.events)),
        filter.cardId ? eq(webhookDeliveries.cardId, filter.cardId) : undefined,
        isWithin(webhookDeliveries.eventId, filter),
        cursor ? lt(webhookDeliveries.eventId, cursor) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.eventId))
    .limit(filter.limit + 1);
  const deliveries = rows.map((row) => toDelivery(integratorId, row));
  return toPage<Delivery>(deliveries, filter.limit, ({ eventId }) => eventId);
}

function toDelivery(integratorId: string, row: DeliveryRow): Delivery {
  return { id: toDeliveryId({ integratorId, ...row }), ...row };
}

/** Renders the states as literals in a fixed order, because some of them have a partial index. */
function isInState(states: readonly DeliveryState[]): SQL {
  const words = DELIVERY_STATES.filter((state) => states.includes(state)).map(literal);
  return sql`${webhookDeliveries.state} in (${sql.join(words, sql`, `)})`;
}

/**
 * One delivery with its body and its latest attempts, newest first.
 * @throws DomainError `delivery_not_found`, also for another integrator's.
 */
export async function getDelivery(
  ctx: ReadContext,
  id: string,
): Promise<{ delivery: Delivery; body: string; attempts: Attempt[] }> {
  const { integratorId } = ctx.actor;
  const found = await findDelivery(ctx, id);
  const { endpointId, eventId } = found.delivery;
  const attempts = await ctx.db
    .select()
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.endpointId, ownEndpoint(integratorId, endpointId)),
        eq(webhookAttempts.eventId, eventId),
      ),
    )
    .orderBy(desc(webhookAttempts.number))
    .limit(ATTEMPTS_SHOWN_MAX);
  return { ...found, attempts };
}

/**
 * Finds a delivery by its id. The id stands for a different event at each endpoint, so the endpoints are tried in turn:
 * the first one first, because most accounts have no other.
 */
async function findDelivery(ctx: ReadContext, id: string) {
  const { integratorId } = ctx.actor;
  if (!isId(id)) {
    throw notFound("delivery_not_found");
  }
  const found = await readDelivery(ctx, { endpointId: integratorId, eventId: id });
  if (found) {
    return found;
  }
  const [, ...others] = await listEndpoints(ctx);
  for (const { id: endpointId } of others) {
    const eventId = toDeliveryId({ integratorId, endpointId, eventId: id });
    const delivery = await readDelivery(ctx, { endpointId, eventId });
    if (delivery) {
      return delivery;
    }
  }
  throw notFound("delivery_not_found");
}

async function readDelivery(
  { db, actor: { integratorId } }: ReadContext,
  { endpointId, eventId }: Pick<Delivery, "endpointId" | "eventId">,
) {
  const [row] = await db
    .select({ delivery: webhookDeliveries, event: STORED_EVENT, format: webhookEndpoints.format })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(
      events,
      and(eq(events.integratorId, integratorId), eq(events.id, webhookDeliveries.eventId)),
    )
    .where(
      and(
        eq(webhookDeliveries.endpointId, ownEndpoint(integratorId, endpointId)),
        eq(webhookDeliveries.eventId, eventId),
      ),
    );
  const body = row && toNotificationBody(row.format, row.event);
  return body && { delivery: toDelivery(integratorId, row.delivery), body };
}

/**
 * Resends a delivery now, with all its retries ahead of it, even if it arrived before. Changes and records nothing
 * while an attempt is in flight.
 * @throws DomainError `delivery_not_found`, `webhook_url_missing`, `notifications_switched_off`.
 */
export async function resendDelivery(ctx: WriteContext, id: string): Promise<Delivery> {
  const { tx, actor } = ctx;
  const { delivery: before } = await getDelivery(toReadContext(ctx), id);
  const { endpointId, eventId } = before;
  await requireNotifications(toReadContext(ctx), endpointId);
  const resent = await tx
    .update(webhookDeliveries)
    .set({ state: "pending", failures: 0, deliveredAt: null, dueAt: NOW_MS })
    .where(
      and(
        eq(webhookDeliveries.endpointId, ownEndpoint(actor.integratorId, endpointId)),
        eq(webhookDeliveries.eventId, eventId),
        isNull(webhookDeliveries.lockedBy),
      ),
    )
    .returning({ eventId: webhookDeliveries.eventId });
  if (resent.length === 0) {
    return before;
  }
  onCommit(tx, wakeWorkers);
  await auditEndpoint(ctx, "webhooks.resent", {
    endpointId,
    before: { delivery: id, state: before.state },
    after: { delivery: id, state: "pending" },
  });
  const { delivery } = await getDelivery(toReadContext(ctx), id);
  return delivery;
}

const NOW_MS = sql`date_trunc('milliseconds', statement_timestamp())`;

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
    select p.id, e.id, e.event, case when e.subject_type = 'card' then e.subject_id end, ${NOW_MS}
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
