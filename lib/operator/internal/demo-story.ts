import { Agenda, DAY_MS, HOUR_MS } from "#lib/operator/internal/demo-agenda.ts";
import { isProtective } from "#lib/cards/card-state.ts";
import {
  close,
  credit,
  freeze,
  join,
  replaceCard,
  takeBack,
  topUp,
} from "#lib/operator/internal/demo-business.ts";
import { CAST, FREEZES, LEAVERS } from "#lib/operator/internal/demo-cast.ts";
import { attemptCostly, charge, spend, useOnce } from "#lib/operator/internal/demo-purchases.ts";
import { SeededRandom } from "#lib/base/seeded-random.ts";
import type { Holder, Scene } from "#lib/operator/internal/demo-scene.ts";
import type { PastClock } from "#db/past-clock.ts";

/** How long the demo's past is. */
export const STORY_DAYS = 90;

const SEED = 1_848;

/** The float's first funding, and how often it is funded again, in minor units. */
const FIRST_TOP_UP = 600_000;
const FUNDED_EVERY_DAYS = 14;
/** Funding grows with the number of cards. One funding is late, so that the float runs low. */
const toTopUp = (round: number) => 120_000 + round * 40_000;
const LATE_ROUND = 4;
const LATE_DAYS = 5;

/** The day of the month on which subscriptions are charged. */
const SUBSCRIPTION_DAY = 3;

/** The holder whose card expires, and when they notice and get another. */
const EXPIRES = 4;
const EXPIRED_NOTICED_DAYS_AGO = 26;
const EXPIRED_REPLACED_DAYS_AGO = 24;
/** So that the first card is ready to use. */
const FIRST_CARD_EXTRA = 25_000;

/** The amounts that some give back at the end of a month, in minor units. */
const UNSPENT = 2_500;

/** How much is bought on each day of the week, from Sunday on. */
const WEEK = [0.25, 0.9, 1, 1.05, 1.1, 1.35, 0.5] as const;

/** When people shop, in minutes of the day. */
const OPENS = 7 * 60 + 30;
const CLOSES = 21 * 60 + 30;

/**
 * What a business does in 90 days: it funds its float every second week, issues cards over time, and gives them
 * allowances; its people spend by the rhythm of a week, up to now. Cards are frozen, replaced, and closed; purchases are
 * declined, captured, reversed, refunded, and expire. Everything goes through the functions that requests go through.
 * @returns the card that the guides use: active and with funds.
 */
export async function tellStory(
  clock: PastClock,
  setting: Omit<Scene, "agenda" | "random" | "holders">,
): Promise<string> {
  const agenda = new Agenda(clock);
  const scene: Scene = { ...setting, agenda, random: new SeededRandom(SEED), holders: [] };
  const calendar = toCalendar(clock);
  planFunding(scene, calendar);
  for (const [index, member] of CAST.entries()) {
    const minute = scene.random.between(8 * 60, 10 * 60);
    agenda.addAt(toTime(calendar, member.joins, minute), async () => {
      const holder = await join(scene, member);
      scene.holders[index] = holder;
      planUse(scene, holder, calendar);
    });
  }
  planIncidents(scene, clock.end);
  planToday(scene, clock.end);
  await agenda.run();
  return holderOf(scene, 0).cardId;
}

/** The story's first whole day, and how many there are. */
interface Calendar {
  firstMs: number;
  days: number;
}

function toCalendar({ at, end }: PastClock): Calendar {
  const firstMs = (Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS;
  return { firstMs, days: Math.ceil((end.getTime() - firstMs) / DAY_MS) };
}

function toTime({ firstMs }: Calendar, day: number, minute: number): Date {
  return new Date(firstMs + day * DAY_MS + minute * 60_000);
}

/** The first day that is this day of the week; 0 is Sunday. */
function findWeekday({ firstMs }: Calendar, weekday: number): number {
  return (weekday - new Date(firstMs).getUTCDay() + 7) % 7;
}

/** The float is funded on every second Friday, and the allowances are paid from it on Mondays. */
function planFunding(scene: Scene, calendar: Calendar): void {
  const { agenda } = scene;
  agenda.addAfter(60_000, () => topUp(scene, FIRST_TOP_UP));
  const friday = findWeekday(calendar, 5);
  for (let round = 1, day = friday; day < calendar.days; round += 1, day += FUNDED_EVERY_DAYS) {
    const late = round === LATE_ROUND ? LATE_DAYS : 0;
    agenda.addAt(toTime(calendar, day + late, 9 * 60 + 12), () => topUp(scene, toTopUp(round)));
  }
  for (let day = friday + 3; day < calendar.days; day += 7) {
    agenda.addAt(toTime(calendar, day, 8 * 60), () =>
      credit(scene, scene.holders.filter(isPaid), { narrative: "Weekly allowance" }),
    );
  }
  for (const day of [29, 60, 88]) {
    agenda.addAt(toTime(calendar, day, 16 * 60 + 40), () =>
      takeBack(scene, scene.holders.filter(isPaid).slice(2, 5), UNSPENT),
    );
  }
}

function isPaid({ left, singleUse }: Holder): boolean {
  return !left && !singleUse;
}

/** Plans what a holder buys, from the day after they have joined until now. */
function planUse(scene: Scene, holder: Holder, calendar: Calendar): void {
  const { agenda, random } = scene;
  if (holder.singleUse) {
    agenda.addAfter(2 * DAY_MS, () => useOnce(scene, holder));
    return;
  }
  for (let day = holder.joins + 1; day < calendar.days; day += 1) {
    const date = toTime(calendar, day, 0);
    const likely = (holder.pace * (WEEK[date.getUTCDay()] ?? 0)) / 2;
    for (let each = 0; each < 2; each += 1) {
      const at = toTime(calendar, day, random.between(OPENS, CLOSES));
      if (random.chance(likely)) {
        agenda.addAt(new Date(at.getTime() + random.between(0, 59_999)), () =>
          spendUnlessGone(scene, holder),
        );
      }
    }
    if (holder.subscribes && date.getUTCDate() === SUBSCRIPTION_DAY) {
      agenda.addAt(toTime(calendar, day, 6 * 60 + holder.joins), () => charge(scene, holder));
    }
  }
}

async function spendUnlessGone(scene: Scene, holder: Holder): Promise<void> {
  if (!holder.left) {
    await spend(scene, holder);
  }
}

/** Plans freezes, an expired card, and people who leave. */
function planIncidents(scene: Scene, end: Date): void {
  const { agenda } = scene;
  const daysAgo = (days: number) => new Date(end.getTime() - days * DAY_MS);
  for (const planned of FREEZES) {
    agenda.addAt(daysAgo(planned.daysAgo), async () => {
      const holder = holderOf(scene, planned.member);
      if (isProtective(planned.reason)) {
        await attemptCostly(scene, holder);
      }
      agenda.addAfter(0.3 * HOUR_MS, () => freeze(scene, holder, planned));
      agenda.addAfter(1.2 * HOUR_MS, () => spend(scene, holder));
    });
  }
  for (const { member, daysAgo: days } of LEAVERS) {
    agenda.addAt(daysAgo(days), async () => {
      const holder = holderOf(scene, member);
      holder.left = true;
      await close(scene, holder.cardId, "Left the company");
    });
  }
  agenda.addAt(daysAgo(EXPIRED_NOTICED_DAYS_AGO), () => spend(scene, holderOf(scene, EXPIRES)));
  agenda.addAt(daysAgo(EXPIRED_REPLACED_DAYS_AGO), () =>
    replaceCard(scene, holderOf(scene, EXPIRES)),
  );
}

/** The present is in the middle of a working day, whatever the time is. */
function planToday(scene: Scene, end: Date): void {
  const minutesAgo = (minutes: number, act: () => Promise<void>) =>
    scene.agenda.addAt(new Date(end.getTime() - minutes * 60_000), act);
  minutesAgo(26 * 60, () =>
    credit(scene, [holderOf(scene, 0)], { amount: FIRST_CARD_EXTRA, narrative: "Conference" }),
  );
  for (const [minutes, member] of [
    [190, 10],
    [118, 0],
    [47, 12],
    [6, 2],
  ] as const) {
    minutesAgo(minutes, () => spend(scene, holderOf(scene, member)));
  }
}

function holderOf({ holders }: Scene, member: number): Holder {
  const holder = holders[member];
  if (!holder) {
    throw new Error(`Member ${member} of the demo has not joined yet.`);
  }
  return holder;
}
