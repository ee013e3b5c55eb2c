import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";
import { DomainError } from "#lib/base/errors.ts";
import { EVENTS } from "#lib/record/events.ts";
import type { EventName } from "#lib/record/events.ts";
import { isId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { FEED_HORIZON } from "#db/schema/columns.ts";
import { events } from "#db/schema/events.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";

/** Which events a list shows. `after` is a cursor that an earlier answer gave. */
export interface EventFilter {
  event?: string | undefined;
  cardId?: string | undefined;
  limit: number;
  after?: string | undefined;
}

/** An event, as its notification tells it. */
export interface RecordedEvent {
  id: string;
  /** The notification's body, byte for byte. */
  body: string;
}

/**
 * Events in the order in which they became visible, oldest first. Only those below every transaction still running are
 * shown, so that whoever reads on from a cursor never misses one that was begun earlier and committed later. The cursor
 * is there at the end too: asked again, it brings what has happened since.
 */
export async function listEvents(
  ctx: ReadContext,
  filter: EventFilter,
): Promise<Page<RecordedEvent>> {
  const after = requireFeedCursor(filter.after);
  const event = requireEventName(filter.event);
  const rows = await ctx.db
    .select({ id: events.id, body: events.body, xid: sql<string>`${events.xid}::text` })
    .from(events)
    .where(
      and(
        eq(events.integratorId, ctx.actor.integratorId),
        sql`${events.xid} < ${FEED_HORIZON}`,
        event ? eq(events.event, writtenOut(event)) : undefined,
        filter.cardId
          ? and(eq(events.subjectType, "card"), eq(events.subjectId, filter.cardId))
          : undefined,
        after
          ? sql`(${events.xid}, ${events.id}) > (${after.xid}::text::xid8, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(events.xid, events.id)
    .limit(filter.limit);
  const last = rows.at(-1);
  return { rows, nextCursor: last ? `${last.xid}.${last.id}` : (filter.after ?? null) };
}

/** An event and what became of its notification; null where there is none, or none any more. */
export interface RecentEvent extends RecordedEvent {
  delivery: DeliveryState | null;
}

/**
 * Events for people to look at, newest first by the time they were made. A program that must not miss any reads
 * `listEvents`.
 */
export async function listRecentEvents(
  ctx: ReadContext,
  filter: { event?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<RecentEvent>> {
  const cursor = requireCursor(filter.cursor);
  const event = requireEventName(filter.event);
  const rows = await ctx.db
    .select({ id: events.id, body: events.body, delivery: webhookDeliveries.state })
    .from(events)
    .leftJoin(
      webhookDeliveries,
      and(
        eq(webhookDeliveries.integratorId, events.integratorId),
        eq(webhookDeliveries.eventId, events.id),
      ),
    )
    .where(
      and(
        eq(events.integratorId, ctx.actor.integratorId),
        event ? eq(events.event, writtenOut(event)) : undefined,
        cursor ? lt(events.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(events.id))
    .limit(filter.limit + 1);
  return toPage<RecentEvent>(rows, filter.limit, ({ id }) => id);
}

/** @throws DomainError `validation_failed` for a name that is no event's. */
export function requireEventName(name: string | undefined): EventName | undefined {
  if (name === undefined || isEventName(name)) {
    return name;
  }
  throw new DomainError("validation_failed", "There is no event of this name.", {
    event: [`This field must be one of ${Object.keys(EVENTS).join(", ")}.`],
  });
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

/**
 * A word of one of our own closed lists, written out in a statement and no parameter: only then is an index used that
 * holds rows of some words alone.
 */
export function writtenOut(word: EventName | DeliveryState): SQL {
  if (!/^[a-z.-]+$/u.test(word)) {
    throw new Error(`"${word}" is no word of ours.`);
  }
  return sql.raw(`'${word}'`);
}

function requireFeedCursor(cursor: string | undefined): { xid: string; id: string } | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  const [xid = "", id = "", ...rest] = cursor.split(".");
  if (!/^[0-9]{1,19}$/u.test(xid) || !isId(id) || rest.length > 0) {
    throw new DomainError("validation_failed", "The cursor did not come from a list response.", {
      after: ["This field must be the next_cursor of an earlier response."],
    });
  }
  return { xid, id };
}
