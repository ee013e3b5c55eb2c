import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";
import { toDeliveryId } from "#lib/record/delivery-ids.ts";
import { listEndpoints, requireNotifications } from "#lib/webhooks/endpoints.ts";
import { auditEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import { ownEndpoint } from "#lib/webhooks/internal/endpoint-row.ts";
import { notFound } from "#lib/base/errors.ts";
import { isNamed, literal } from "#lib/webhooks/event-reads.ts";
import { isId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { STORED_EVENT } from "#lib/record/event-body.ts";
import { toNotificationBody } from "#lib/webhooks/internal/notification-body.ts";
import { events } from "#db/schema/events.ts";
import {
  DUE_NOW,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from "#db/schema/webhooks.ts";
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
 * Resends a delivery now, with all its retries ahead of it, even if it arrived before. Leaves the delivery unchanged
 * while an attempt is in flight.
 * @throws DomainError `delivery_not_found`, `webhook_url_missing`, `notifications_switched_off`.
 */
export async function resendDelivery(ctx: WriteContext, id: string): Promise<Delivery> {
  const { tx, actor } = ctx;
  const { delivery: before } = await getDelivery(toReadContext(ctx), id);
  const { endpointId, eventId } = before;
  await requireNotifications(toReadContext(ctx), endpointId);
  await tx
    .update(webhookDeliveries)
    .set({ state: "pending", failures: 0, deliveredAt: null, dueAt: DUE_NOW })
    .where(
      and(
        eq(webhookDeliveries.endpointId, ownEndpoint(actor.integratorId, endpointId)),
        eq(webhookDeliveries.eventId, eventId),
        isNull(webhookDeliveries.lockedBy),
      ),
    );
  onCommit(tx, wakeWorkers);
  await auditEndpoint(ctx, "webhooks.resent", {
    endpointId,
    before: { delivery: id, state: before.state },
    after: { delivery: id, state: "pending" },
  });
  const { delivery } = await getDelivery(toReadContext(ctx), id);
  return delivery;
}
