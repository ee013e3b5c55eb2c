import { and, desc, eq, gte, inArray, lt } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { ThreadShare } from "#lib/base/thread-share.ts";
import { BACKTEST_QUESTIONS_MAX } from "#lib/purchases/backtest-limits.ts";
import { toClockTime, toRealTime } from "#lib/purchases/internal/clock-history.ts";
import type { ClockHistory } from "#lib/purchases/internal/clock-history.ts";
import { isQuestion, REPLAYED_EVENTS, toAct } from "#lib/purchases/internal/recorded-acts.ts";
import type { RecordedEvent } from "#lib/purchases/internal/recorded-acts.ts";
import type { Act } from "#lib/purchases/internal/replay.ts";
import { events } from "#db/schema/events.ts";

/** How many events are read at once. */
const PAGE_EVENTS = 500;

/** Runs one statement. */
export type Read = <T>(statement: (ctx: ReadContext) => Promise<T>) => Promise<T>;

/** What happened since a moment of the integrator's clock, oldest first. */
export interface Recorded {
  acts: Act[];
  isComplete: boolean;
  /** Everything with a smaller id is older. */
  firstId: string;
}

/** Reads acts from this moment on. If there are too many questions, reads only the newest. */
export async function readActs(
  read: Read,
  { cardId, clock, from }: { cardId: string | null; clock: ClockHistory; from: Date },
): Promise<Recorded> {
  const firstId = firstIdAt(Math.floor(toRealTime(clock, from)));
  const newestFirst: Act[] = [];
  let questions = 0;
  let cursor: Cursor | null = null;
  const share = new ThreadShare();
  do {
    const page: EventPage = await read((ctx) => readPage(ctx, { cardId, firstId, cursor }));
    share.begin();
    for (const event of page.rows) {
      const act = toAct(event, toClockTime(clock, event.createdAt));
      if (act) {
        newestFirst.push(act);
        questions += isQuestion(act, event) ? 1 : 0;
      }
      if (questions === BACKTEST_QUESTIONS_MAX) {
        const acts = newestFirst.toReversed();
        return { acts, isComplete: false, firstId: firstIdAt(event.createdAt.getTime()) };
      }
    }
    await share.yield();
    cursor = page.next;
  } while (cursor !== null);
  return { acts: newestFirst.toReversed(), isComplete: true, firstId };
}

type Cursor = Pick<RecordedEvent, "id"> & { sequence: number };

interface EventPage {
  rows: RecordedEvent[];
  next: Cursor | null;
}

/** Events of purchases, newest first: of one card in the order of their sequence, or of all cards by id. */
async function readPage(
  { db, actor }: ReadContext,
  { cardId, firstId, cursor }: { cardId: string | null; firstId: string; cursor: Cursor | null },
): Promise<EventPage> {
  const ofCard =
    cardId === null
      ? undefined
      : and(
          eq(events.subjectType, "card"),
          eq(events.subjectId, cardId),
          cursor ? lt(events.sequence, cursor.sequence) : undefined,
        );
  const rows = await db
    .select({
      id: events.id,
      event: events.event,
      sequence: events.sequence,
      createdAt: events.createdAt,
      content: events.content,
    })
    .from(events)
    .where(
      and(
        eq(events.integratorId, actor.integratorId),
        gte(events.id, firstId),
        ofCard ?? (cursor ? lt(events.id, cursor.id) : undefined),
        inArray(events.event, [...REPLAYED_EVENTS]),
      ),
    )
    .orderBy(ofCard ? desc(events.sequence) : desc(events.id))
    .limit(PAGE_EVENTS);
  return { rows, next: rows.length < PAGE_EVENTS ? null : (rows.at(-1) ?? null) };
}
