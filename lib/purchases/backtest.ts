import { setImmediate } from "node:timers/promises";
import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { STATEMENT_MICROS, toMomentOf } from "#lib/base/moment.ts";
import { toLocalDay } from "#lib/base/time-zone.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { readEarlier } from "#lib/purchases/internal/earlier-counts.ts";
import { isQuestion, REPLAYED_EVENTS, toAct } from "#lib/purchases/internal/recorded-acts.ts";
import type { RecordedEvent } from "#lib/purchases/internal/recorded-acts.ts";
import { Replay } from "#lib/purchases/internal/replay.ts";
import type { Act } from "#lib/purchases/internal/replay.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { auditLog, events } from "#db/schema/events.ts";
import { integrators } from "#db/schema/integrators.ts";

/** How many questions a backtest replays at most: the newest. */
export const BACKTEST_QUESTIONS_MAX = 200_000;

/** How many days a backtest looks back at most. */
export const BACKTEST_DAYS_MAX = 90;

/** How many of its declines it lists. */
const LISTED_MAX = 50;

/** How many events are read at once. */
const PAGE_EVENTS = 2_000;

/** After so many milliseconds, other requests have their turn. */
const TURN_MS = 5;

const DAY_MS = 86_400_000;

/** Controls to try on what was recorded. */
export interface BacktestRequest {
  controls: SpendingControls;
  /** Null for all cards. */
  cardId: string | null;
  /** How far to look back, by the integrator's clock. */
  days: number;
}

/** How many of something, and what they amount to in minor units. */
export interface Tally {
  count: number;
  amount: number;
}

/** A recorded question that the controls would have declined. Amounts in minor units. */
export interface BacktestDecline {
  transactionId: string;
  cardId: string;
  reason: DeclineReason;
  amount: number;
  /** When it was asked, by the integrator's clock. */
  at: Date;
}

/** What controls would have declined. */
export interface Backtest {
  currency: string;
  /** By the integrator's clock. */
  from: Date;
  to: Date;
  /** Whether all questions of the days were replayed, and not only the newest. */
  isComplete: boolean;
  questions: number;
  declined: Tally;
  byReason: (Tally & { reason: DeclineReason })[];
  byDay: (Tally & { day: string })[];
  /** Those with the most declines first. */
  byCard: (Tally & { cardId: string })[];
  /** How many cards would have been declined. */
  cards: number;
  first: BacktestDecline[];
}

/** Runs one statement. */
type Read = <T>(statement: (ctx: ReadContext) => Promise<T>) => Promise<T>;

/**
 * Replays the recorded approved questions of an integrator's cards, in order, as if these controls had stood from the first
 * day. Funds are taken as ample. What preceded the days counts as it was recorded; a question that would have been declined
 * uses nothing and takes its captures and increments with it. Writes nothing.
 * @throws DomainError `card_not_found`.
 */
export async function backtest(
  read: Read,
  { controls, cardId, days }: BacktestRequest,
): Promise<Backtest> {
  if (cardId !== null) {
    await read((ctx) => getCard(ctx, cardId));
  }
  const clock = await read(readClock);
  const from = new Date(clock.now.getTime() - days * DAY_MS);
  const recorded = await readActs(read, { cardId, clock, from });
  const [oldest] = recorded.acts;
  const since = recorded.isComplete || !oldest ? from : oldest.at;
  const earlier = await read((ctx) =>
    readEarlier(ctx, {
      cardId,
      limits: controls.spending_limits,
      timeZone: clock.timeZone,
      before: { id: recorded.firstId, at: since },
    }),
  );
  const replay = new Replay(controls, clock.timeZone, { earlier, since: recorded.firstId });
  const declines = await replayAll(replay, recorded.acts);
  const byCard = tally(declines, (decline) => decline.cardId);
  return {
    currency: clock.currency,
    from: since,
    to: clock.now,
    isComplete: recorded.isComplete,
    questions: replay.questions,
    declined: sum(declines),
    byReason: toRows(tally(declines, ({ reason }) => reason)).map(([reason, of]) => ({
      reason,
      ...of,
    })),
    byDay: [...tally(declines, ({ at }) => toLocalDay(at, clock.timeZone))].map(([day, of]) => ({
      day,
      ...of,
    })),
    byCard: toRows(byCard)
      .slice(0, LISTED_MAX)
      .map(([id, of]) => ({ cardId: id, ...of })),
    cards: byCard.size,
    first: declines.slice(0, LISTED_MAX),
  };
}

async function replayAll(replay: Replay, acts: readonly Act[]): Promise<BacktestDecline[]> {
  const declines: BacktestDecline[] = [];
  let began = performance.now();
  for (const act of acts) {
    const reason = replay.add(act);
    if (reason) {
      const { id: transactionId, cardId, amount, at } = act;
      declines.push({ transactionId, cardId, reason, amount, at });
    }
    if (performance.now() - began > TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
  }
  return declines;
}

function tally<Key>(
  declines: readonly BacktestDecline[],
  toKey: (decline: BacktestDecline) => Key,
): Map<Key, Tally> {
  const tallies = new Map<Key, Tally>();
  for (const decline of declines) {
    const { count, amount } = tallies.get(toKey(decline)) ?? { count: 0, amount: 0 };
    tallies.set(toKey(decline), { count: count + 1, amount: amount + decline.amount });
  }
  return tallies;
}

/** The largest first. */
function toRows<Key>(tallies: ReadonlyMap<Key, Tally>): [Key, Tally][] {
  return [...tallies].toSorted(([, one], [, other]) => other.count - one.count);
}

function sum(declines: readonly BacktestDecline[]): Tally {
  return {
    count: declines.length,
    amount: declines.reduce((total, { amount }) => total + amount, 0),
  };
}

/** How far the integrator's clock was ahead since a moment of real time, in milliseconds. */
interface Ahead {
  since: number;
  offsetMs: number;
}

interface Clock {
  now: Date;
  timeZone: string;
  currency: string;
  /** The oldest first. */
  ahead: readonly Ahead[];
}

async function readClock({ db, actor }: ReadContext): Promise<Clock> {
  const { integratorId } = actor;
  const moves = sql`(
    select coalesce(json_agg(json_build_array(
      extract(epoch from ${auditLog.createdAt}) * 1000, (${auditLog.after} ->> 'offset_seconds')::float8 * 1000
    ) order by ${auditLog.id}), '[]') from ${auditLog}
    where ${auditLog.integratorId} = ${integratorId}
      and ${auditLog.action} in ('sandbox.clock-advanced', 'sandbox.clock-reset')
  )`;
  const [row] = await db
    .select({
      timeZone: integrators.timeZone,
      currency: integrators.currency,
      clockOffsetS: integrators.clockOffsetS,
      micros: sql<number>`${STATEMENT_MICROS}`,
      moves: sql<[number, number][]>`${moves}`,
    })
    .from(integrators)
    .where(eq(integrators.id, integratorId));
  if (!row) {
    throw new Error(`There is no integrator ${integratorId}.`);
  }
  const { timeZone, currency, micros } = row;
  return {
    now: toDeadlineTime(row, toMomentOf(db, micros).at),
    timeZone,
    currency,
    ahead: [
      { since: 0, offsetMs: 0 },
      ...row.moves.map(([since, offsetMs]) => ({ since, offsetMs })),
    ],
  };
}

/** The first moment of real time at which the clock showed this, or more. */
function toRealTime({ ahead }: Clock, at: Date): number {
  const moments = ahead.flatMap(({ since, offsetMs }, index) => {
    const moment = Math.max(since, at.getTime() - offsetMs);
    return moment < (ahead[index + 1]?.since ?? Number.POSITIVE_INFINITY) ? [moment] : [];
  });
  return Math.min(...moments);
}

function toClockTime({ ahead }: Clock, at: Date): Date {
  const offsetMs = ahead.findLast(({ since }) => since <= at.getTime())?.offsetMs ?? 0;
  return new Date(at.getTime() + offsetMs);
}

/** What happened since a moment of the clock, the oldest first. */
interface Recorded {
  acts: Act[];
  isComplete: boolean;
  /** Whatever has a smaller one is older. */
  firstId: string;
}

async function readActs(
  read: Read,
  { cardId, clock, from }: { cardId: string | null; clock: Clock; from: Date },
): Promise<Recorded> {
  const firstId = firstIdAt(Math.floor(toRealTime(clock, from)));
  const newestFirst: Act[] = [];
  let questions = 0;
  let cursor: Cursor | null = null;
  do {
    const page: EventPage = await read((ctx) => readPage(ctx, { cardId, firstId, cursor }));
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
    cursor = page.next;
  } while (cursor !== null);
  return { acts: newestFirst.toReversed(), isComplete: true, firstId };
}

type Cursor = Pick<RecordedEvent, "id"> & { sequence: number };

interface EventPage {
  rows: RecordedEvent[];
  next: Cursor | null;
}

/** Events of purchases, the newest first: of one card by their sequence, or of all by their ids. */
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
