import { expect, test } from "vitest";
import { SeededRandom } from "#lib/base/seeded-random.ts";
import { addDays } from "#lib/base/time-zone.ts";
import type { BookDay } from "#lib/overview/internal/book-days.ts";
import { FORECAST_DAYS, toForecast, TOP_UP_DAYS, toTopUp } from "./forecast.ts";

const FIRST = "2026-01-05";

function toDays(nets: readonly number[]): BookDay[] {
  return nets.map((outflow, at) => ({
    day: addDays(FIRST, at),
    inflow: 0,
    outflow,
    inflowFromCards: 0,
    spent: 0,
    refunded: 0,
  }));
}

/** Thirty days, the last of which had this activity. */
function thirtyDays(active: readonly Partial<BookDay>[]): BookDay[] {
  const days = toDays(Array.from({ length: 30 }, () => 0));
  return days.map((day, at) => ({ ...day, ...active[at - (30 - active.length)] }));
}

/** This many days without activity. */
function idle(days: number) {
  return Array.from({ length: days }, () => ({ outflow: 0 }));
}

test("of a young account, the pace decides: credits minus returns from cards, over the days since the first activity", () => {
  const days = thirtyDays([{ inflow: 14_550, outflow: 5_000, inflowFromCards: 4_300 }, ...idle(6)]);
  // 700 in seven days: 100 a day.
  expect(toForecast(9_550, days)).toEqual({ earliest: 95, latest: 95 });
});

test("six days of activity are no forecast, seven are", () => {
  expect(toForecast(100, thirtyDays([{ outflow: 10 }, ...idle(5)]))).toBe(null);
  expect(toForecast(100, thirtyDays([{ outflow: 7 }, ...idle(6)]))?.earliest).toBe(100);
});

test("a float that does not shrink has no forecast", () => {
  const days = thirtyDays([{ inflow: 10, inflowFromCards: 10, outflow: 10 }, ...idle(6)]);
  expect(toForecast(100, days)).toBe(null);
  expect(toForecast(100, thirtyDays([]))).toBe(null);
  expect(toForecast(100, toDays(Array.from({ length: FORECAST_DAYS }, () => 0)))).toBe(null);
});

test("four weeks: the heaviest and a fifth, and the latest of any of them", () => {
  const weeks = [70, 140, 70, 280].flatMap((sum) => Array.from({ length: 7 }, () => sum / 7));
  const days = toDays([...weeks, 0]);
  // 40 a day and a fifth, and 10 a day.
  expect(toForecast(480, days)).toEqual({ earliest: 10, latest: 48 });
});

test("today, which is not over, does not count", () => {
  const days = toDays([...Array.from({ length: 28 }, () => 10), 9_999]);
  expect(toForecast(120, days)).toEqual({ earliest: 10, latest: 12 });
});

test("one bulk credit moves the earliest day, not the latest", () => {
  const steady = Array.from({ length: 61 }, () => 10);
  const before = toForecast(600, toDays([...steady, 0]));
  const after = toForecast(600, toDays([...steady.slice(0, -1), 200, 0]));
  expect(before).toEqual({ earliest: 50, latest: 60 });
  expect(after?.latest).toBe(60);
  expect(after?.earliest).toBeLessThan(50);
});

const PROGRAMS = {
  steady: (random: () => number) => {
    const pace = 500 + 1_500 * random();
    return () => pace * (0.6 + 0.8 * random());
  },
  weekly: (random: () => number) => {
    const pattern = Array.from({ length: 7 }, () => (random() < 0.3 ? 50 : 2_000 * random()));
    return (day: string) =>
      (pattern[new Date(day).getUTCDay()] ?? 0) * (0.6 + 0.8 * random()) + 20 * random();
  },
  monthly: (random: () => number) => {
    const pace = 200 + 400 * random();
    const payday = 1 + Math.floor(28 * random());
    const pay = 20 * pace * (0.7 + 0.6 * random());
    return (day: string) =>
      Number(day.slice(-2)) === payday
        ? pay * (0.9 + 0.2 * random())
        : pace * (0.6 + 0.8 * random());
  },
  // Most days are without any outflow.
  allowance: (random: () => number) => {
    const payday = Math.floor(7 * random());
    const pay = 10_000 + 20_000 * random();
    return (day: string) => {
      const usual = random() < 0.3 ? 0.07 * pay : 0;
      return new Date(day).getUTCDay() === payday ? pay * (0.9 + 0.2 * random()) : usual;
    };
  },
};

/** The day, counted from today, on which this much is spent. */
function findEnd(available: number, ahead: readonly number[]): number {
  let left = available;
  return ahead.findIndex((net) => (left -= net) <= 0) + 1;
}

/** Replays the forecast from each day of a program without further top-ups: where the true days lie. */
function replay(program: keyof typeof PROGRAMS): ("early" | "inBand" | "late" | "never")[] {
  return Array.from({ length: 40 }, (_, seed) => new SeededRandom(seed + 1)).flatMap((numbers) => {
    const random = () => numbers.next();
    const spend = PROGRAMS[program](random);
    const nets = Array.from({ length: 220 }, (_, at) => Math.round(spend(addDays(FIRST, at))));
    const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length;
    const days = toDays(nets);
    return Array.from({ length: 57 }, (_, at) => FORECAST_DAYS + at).map((today) => {
      const available = Math.round(mean * (5 + 45 * random()));
      const forecast = toForecast(available, days.slice(today - FORECAST_DAYS, today + 1));
      if (!forecast?.latest) {
        return "never";
      }
      const { earliest, latest } = forecast;
      const end = findEnd(available, nets.slice(today + 1));
      if (end < earliest) {
        return "early";
      }
      return end <= latest ? "inBand" : "late";
    });
  });
}

test.each(["steady", "weekly", "monthly", "allowance"] as const)(
  "replayed from each day of the %s program, the true day lies in the band in 85 of 100, and before it in at most 10",
  (program) => {
    const ends = replay(program);
    // A float of at most 50 days does not last for more than a year.
    expect(ends.filter((end) => end === "never")).toEqual([]);
    const shareOf = (where: string) => ends.filter((end) => end === where).length / ends.length;
    expect(shareOf("early")).toBeLessThanOrEqual(0.1);
    expect(shareOf("inBand")).toBeGreaterThanOrEqual(0.85);
  },
);

test("the proposed top-up carries the float past its days, and hardly less would", () => {
  for (const program of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    for (let seed = 1; seed <= 30; seed += 1) {
      const numbers = new SeededRandom(seed);
      const random = () => numbers.next();
      const spend = PROGRAMS[program](random);
      const length = seed % 3 === 0 ? 20 : FORECAST_DAYS;
      const nets = Array.from({ length }, (_, at) => Math.round(spend(addDays(FIRST, at))));
      const days = toDays(nets);
      const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length;
      const available = Math.round(mean * (60 * random() - 2));
      const lasts = (amount: number) => {
        const forecast = toForecast(available + amount, days);
        return forecast === null || forecast.earliest > TOP_UP_DAYS;
      };
      const amount = toTopUp(available, days);
      // Of a young account, the forecast names the day on which it still lasts.
      const isYoung = length < FORECAST_DAYS;
      expect(amount === null).toBe(lasts(isYoung ? mean : 0) && available > 0);
      expect(lasts((amount ?? 0) + (isYoung ? mean : 0))).toBe(true);
      expect(amount !== null && lasts(amount * 0.89)).toBe(false);
    }
  }
});

test("a float that would just run out on the last of the days needs the least top-up", () => {
  const days = toDays([...Array.from({ length: 28 }, () => 10), 0]);
  // Ten a day and a fifth, for thirty days.
  expect(toTopUp(360, days)).toBe(1);
  expect(toTopUp(361, days)).toBe(null);
  expect(toTopUp(-1_000, days)).toBe(1_400);
});

test("a float that does not shrink needs no top-up", () => {
  expect(toTopUp(100, thirtyDays([]))).toBe(null);
});
