import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { EVENT_NAMES, isEventName } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { selectDeliveries, toEventDeliveries } from "#lib/record/event-deliveries.ts";
import type { EventDelivery } from "#lib/record/event-deliveries.ts";
import { STORED_EVENT, toEventBody } from "#lib/record/event-body.ts";
import type { StoredEvent } from "#lib/record/event-body.ts";
import { firstIdAt, isId } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { FEED_HORIZON } from "#db/schema/columns.ts";
import { runSelect, toPresentNames } from "#db/compiled-select.ts";
import { events } from "#db/schema/events.ts";

/** Which events to list. `after` is a cursor from an earlier answer. */
export interface EventFilter {
  events?: readonly EventName[] | undefined;
  cardId?: string | undefined;
  /** A card, a float, an account, or a cardholder. */
  subjectId?: string | undefined;
  limit: number;
  after?: string | undefined;
}

/** An event, as sent in its notification. */
export interface RecordedEvent {
  id: string;
  /** The notification's body, byte for byte. */
  body: string;
}

/**
 * Lists events in the order in which they became visible, oldest first; the events of one subject follow their
 * sequence numbers. Only events older than every running transaction are listed: a reader that continues from a
 * cursor never misses an event whose transaction began earlier and committed later. The last page has a cursor, too:
 * a later call with it returns the events since.
 */
export async function listEvents(
  ctx: ReadContext,
  filter: EventFilter,
): Promise<Page<RecordedEvent>> {
  const after = requireFeedCursor(filter.after);
  const { events: names, cardId, subjectId, limit } = filter;
  const rows = await runSelect(ctx.db, {
    key: `events ${toKey(names)} ${toPresentNames({ cardId, subjectId, after })}`,
    build: (builder) =>
      builder
        .select({ ...STORED_EVENT, xid: sql<string>`${events.xid}::text` })
        .from(events)
        .where(
          and(
            eq(events.integratorId, sql.placeholder("integratorId")),
            sql`${events.xid} < ${FEED_HORIZON}`,
            names && isNamed(events.event, names, sql.placeholder("names")),
            cardId ? IS_ABOUT_CARD : undefined,
            subjectId ? IS_ABOUT_SUBJECT : undefined,
            after ? IS_AFTER : undefined,
          ),
        )
        .orderBy(events.xid, events.id)
        .limit(sql.placeholder("limit")),
    values: {
      integratorId: ctx.actor.integratorId,
      names,
      cardId,
      subjectId,
      afterXid: after?.xid,
      afterId: after?.id,
      limit,
    },
  });
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => ({ id: row.id, body: toEventBody(row) })),
    nextCursor: last ? `${last.xid}.${last.id}` : (filter.after ?? null),
  };
}

function toKey(names: readonly EventName[] = []): string {
  return names.length > 1 ? "several" : (names[0] ?? "all");
}

/** The greatest id: a cursor with it comes after every event of its transaction. */
const LAST_ID = "ffffffff-ffff-7fff-bfff-ffffffffffff";

/**
 * Returns the cursor of this moment: events recorded from now on come after it. While an older transaction runs, events
 * recorded since that transaction began also come after it.
 */
async function getFeedEnd({ db }: ReadContext): Promise<string> {
  const [row] = await db.execute<{ last: string }>(
    sql`select (${FEED_HORIZON}::text::bigint - 1)::text as last`,
  );
  return `${row?.last ?? 0}.${LAST_ID}`;
}

/**
 * How much earlier than the requested time the feed starts. An event that much older committed before the first event
 * after the requested time was written, so the feed lists it earlier: no transaction takes that long
 * (`earlierWriters`), and the clocks of a primary and its successor never differ that much.
 */
export const START_MARGIN_MS = 60_000;

/**
 * Returns the cursor after which to list: one before `createdAt`, the current end of the feed for `now`, or the given
 * one; undefined for the beginning.
 * @param read takes a connection, so it is called only when there is something to read.
 */
export async function findFeedStart(
  read: <T>(statement: (ctx: ReadContext) => Promise<T>) => Promise<T>,
  { after, createdAt }: { after: string | undefined; createdAt: Date | undefined },
): Promise<string | undefined> {
  if (createdAt) {
    return read((ctx) => findCursorBefore(ctx, createdAt));
  }
  return after === "now" ? read(getFeedEnd) : after;
}

/**
 * Returns a cursor before every event that was created at this time or later; undefined for the beginning of the
 * feed. A list from this cursor can include events of the minute before: expect a few duplicates, but no gaps.
 */
async function findCursorBefore(
  { db, actor }: ReadContext,
  createdAt: Date,
): Promise<string | undefined> {
  const [before] = await db
    .select({ id: events.id, xid: sql<string>`${events.xid}::text` })
    .from(events)
    .where(
      and(
        eq(events.integratorId, actor.integratorId),
        lt(events.id, firstIdAt(createdAt.getTime() - START_MARGIN_MS)),
      ),
    )
    .orderBy(desc(events.id))
    .limit(1);
  return before && `${before.xid}.${before.id}`;
}

const IS_ABOUT_CARD = and(
  sql`${events.subjectType} = 'card'`,
  eq(events.subjectId, sql.placeholder("cardId")),
);

// The index of sequence numbers begins with the type.
const IS_ABOUT_SUBJECT = and(
  sql`${events.subjectType} in ('card', 'float', 'account', 'cardholder')`,
  eq(events.subjectId, sql.placeholder("subjectId")),
);

const IS_AFTER = sql`(${events.xid}, ${events.id}) > (${sql.placeholder("afterXid")}::text::xid8, ${sql.placeholder("afterId")}::uuid)`;

/** An event and its recorded deliveries. */
export interface RecentEvent extends RecordedEvent {
  deliveries: readonly EventDelivery[];
}

/**
 * One event and its deliveries.
 * @throws DomainError `event_not_found`, also for another integrator's.
 */
export async function getEvent(ctx: ReadContext, id: string): Promise<RecentEvent> {
  const [row] = isId(id) ? await selectRecent(ctx, eq(events.id, id)) : [];
  if (!row) {
    throw notFound("event_not_found");
  }
  return toRecentEvent(row);
}

/** Which events to browse. */
export interface RecentEventFilter extends Period {
  event?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Events for people to browse, newest first by creation time. A program that must not miss any reads
 * `listEvents`.
 */
export async function listRecentEvents(
  ctx: ReadContext,
  filter: RecentEventFilter,
): Promise<Page<RecentEvent>> {
  const cursor = requireCursor(filter.cursor);
  const event = requireEventName(filter.event);
  const rows = await selectRecent(
    ctx,
    and(
      event ? eq(events.event, literal(event)) : undefined,
      isWithin(events.id, filter),
      cursor ? lt(events.id, cursor) : undefined,
    ),
  )
    .orderBy(desc(events.id))
    .limit(filter.limit + 1);
  return toPage(rows.map(toRecentEvent), filter.limit, ({ id }) => id);
}

function selectRecent({ db, actor }: ReadContext, where: SQL | undefined) {
  return db
    .select({ ...STORED_EVENT, deliveries: selectDeliveries(events) })
    .from(events)
    .where(and(eq(events.integratorId, actor.integratorId), where));
}

function toRecentEvent(row: StoredEvent & { deliveries: string }): RecentEvent {
  return { id: row.id, body: toEventBody(row), deliveries: toEventDeliveries(row, row.deliveries) };
}

/** @throws DomainError `validation_failed` for an unknown event name. */
export function requireEventName(name: string | undefined): EventName | undefined {
  if (name === undefined || isEventName(name)) {
    return name;
  }
  throw new DomainError("validation_failed", "No event has this name.", {
    event: [`This field must be one of ${EVENT_NAMES.join(", ")}.`],
  });
}

/**
 * Whether a column names one of these events. A single name becomes a literal, so that the index of rare events
 * applies. Several names become one array parameter, so that not every combination is a statement of its own.
 */
export function isNamed(column: SQLWrapper, names: readonly EventName[], list: unknown): SQL {
  const [name] = names;
  return name !== undefined && names.length === 1
    ? sql`${column} = ${literal(name)}`
    : sql`${column} = any(${list}::text[])`;
}

/**
 * Renders a value from one of our own closed lists as a literal, not a parameter: PostgreSQL uses a partial
 * index on such values only then.
 */
export function literal(word: EventName | DeliveryState): SQL {
  if (!/^[a-z._-]+$/u.test(word)) {
    throw new Error(`"${word}" is not one of our own values.`);
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
      after: ["This field must be the next_cursor of an earlier response, or now."],
    });
  }
  return { xid, id };
}
