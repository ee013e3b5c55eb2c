import type { ReadContext } from "#lib/base/context.ts";
import { ThreadShare } from "#lib/base/thread-share.ts";
import { toLocalDay } from "#lib/base/time-zone.ts";
import { readCardNames } from "#lib/cards/card-names.ts";
import type { NamedCard } from "#lib/cards/card-names.ts";
import { readCard } from "#lib/cards/card-reads.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { readClockHistory } from "#lib/purchases/internal/clock-history.ts";
import { readEarlier } from "#lib/purchases/internal/earlier-counts.ts";
import { readActs } from "#lib/purchases/internal/read-acts.ts";
import type { Read } from "#lib/purchases/internal/read-acts.ts";
import { Replay } from "#lib/purchases/internal/replay.ts";
import type { Act } from "#lib/purchases/internal/replay.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";

/** The most declines, and the most cards, that a backtest lists. */
const LISTED_MAX = 50;

const DAY_MS = 86_400_000;

/** Spending controls to test against recorded purchases. */
export interface BacktestRequest {
  controls: SpendingControls;
  /** Null for all cards. */
  cardId: string | null;
  /** How far to look back, by the integrator's clock. */
  days: number;
}

/** A count and a total amount in minor units. */
export interface Tally {
  count: number;
  amount: number;
}

/** A recorded question that the controls would have declined. Amounts in minor units. */
export interface BacktestDecline {
  transactionId: string;
  cardId: string;
  /** Null if the network did not name it. */
  merchantName: string | null;
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
  byCard: (Tally & NamedCard)[];
  /** How many cards would have been declined. */
  cards: number;
  first: BacktestDecline[];
}

/**
 * Replays the approved questions recorded for an integrator's cards, in order, as if these controls had applied since
 * the first day. Assumes ample funds. Anything before the first day counts as recorded. A question that would have
 * been declined uses nothing, and neither do its captures. An increment of it is not replayed. Writes nothing.
 * @throws DomainError `card_not_found`.
 */
export async function backtest(
  read: Read,
  { controls, cardId, days }: BacktestRequest,
): Promise<Backtest> {
  if (cardId !== null) {
    await readCard(read, cardId);
  }
  const clock = await read(readClockHistory);
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
    byCard: await read((ctx) => nameCards(ctx, toRows(byCard).slice(0, LISTED_MAX))),
    cards: byCard.size,
    first: declines.slice(0, LISTED_MAX),
  };
}

async function replayAll(replay: Replay, acts: readonly Act[]): Promise<BacktestDecline[]> {
  const declines: BacktestDecline[] = [];
  const share = new ThreadShare();
  for (const act of acts) {
    const reason = replay.add(act);
    if (reason) {
      const { id: transactionId, cardId, merchant, amount, at } = act;
      const merchantName = merchant?.name ?? null;
      declines.push({ transactionId, cardId, merchantName, reason, amount, at });
    }
    await share.yield();
  }
  return declines;
}

/** Adds the card's name to each tally. */
async function nameCards(
  ctx: ReadContext,
  tallies: readonly [cardId: string, of: Tally][],
): Promise<(Tally & NamedCard)[]> {
  const of = new Map(tallies);
  const named = await readCardNames(
    ctx,
    tallies.map(([id]) => id),
  );
  return named.map((card) => ({ ...card, ...(of.get(card.cardId) ?? NOTHING) }));
}

const NOTHING: Tally = { count: 0, amount: 0 };

function tally<Key>(
  declines: readonly BacktestDecline[],
  toKey: (decline: BacktestDecline) => Key,
): Map<Key, Tally> {
  const tallies = new Map<Key, Tally>();
  for (const decline of declines) {
    const { count, amount } = tallies.get(toKey(decline)) ?? NOTHING;
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
