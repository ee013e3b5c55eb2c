import { addDays } from "#lib/base/time-zone.ts";
import type { BookDay } from "#lib/overview/internal/book-days.ts";

/** A forecast needs this many days of activity. */
const FORECAST_DAYS_MIN = 7;
/** How many days the pace of a younger account is averaged over. */
const PACE_DAYS = 30;

const WEEK = 7;
const WEEKS = 4;
/** How much heavier than the heaviest of the last weeks the next ones may be. */
const RESERVE = 1.2;
/** A day of the month stands out if its outflow is this multiple of the mean of all days. */
const STANDS_OUT = 3;
/** How many days ahead a forecast looks. */
const HORIZON_DAYS = 400;

/** How many days a forecast looks back: two months, and today. */
export const FORECAST_DAYS = 63;

/** In how many days the float runs out without a top-up: between `earliest` and `latest`. */
export interface Forecast {
  earliest: number;
  /** Null if it may last for more than a year. */
  latest: number | null;
}

/**
 * When the float runs out. `earliest` assumes that the heaviest of the last four weeks repeats with a fifth more.
 * `latest` is the latest day that repeating any one of these weeks gives. If the outflow of a day of the month stood
 * out in both of the last two months, it is expected again. With less than four weeks of activity, the pace decides.
 * Null while the float does not shrink, or if its activity began less than seven days ago. Outflow is net: credits to
 * cards minus what they returned. Top-ups do not count.
 * @param days without gaps, the oldest first, ending today.
 */
export function toForecast(available: number, days: readonly BookDay[]): Forecast | null {
  const course = toCourse(days);
  if (!course) {
    return toPaceForecast(available, days);
  }
  const earliest = findEnd(available, course.heaviest);
  if (earliest === null) {
    return null;
  }
  const ends = course.repeated.map((week) => findEnd(available, week));
  const known = ends.filter((end) => end !== null);
  const latest = known.length < ends.length ? null : Math.max(earliest, ...known);
  return { earliest, latest };
}

/** How far a proposed top-up carries the float on, in days. */
export const TOP_UP_DAYS = 30;

/**
 * The top-up with which the float lasts for more than {@link TOP_UP_DAYS} even if the heaviest of the last weeks
 * repeats, rounded up to two digits. Null if it lasts that long without one, or without a forecast.
 * @param available what may leave the float before it is low.
 */
export function toTopUp(available: number, days: readonly BookDay[]): number | null {
  const course = toCourse(days);
  const pace = course ? null : toPace(days);
  const toOutflow = course?.heaviest ?? (() => pace ?? 0);
  let missing = 1 - available;
  for (let ahead = 1; ahead <= TOP_UP_DAYS; ahead += 1) {
    missing += toOutflow(ahead);
  }
  return (course ?? pace) === null || missing < 1 ? null : roundUp(missing);
}

function roundUp(amount: number): number {
  const unit = 10 ** Math.max(0, Math.ceil(Math.log10(amount)) - 2);
  return Math.ceil(amount / unit) * unit;
}

/** What leaves the float on a day ahead. */
type Outflow = (ahead: number) => number;

/** The outflows to expect after the last four weeks. */
interface Course {
  /** As in the heaviest of the weeks, plus a fifth. */
  heaviest: Outflow;
  /** As in each of the weeks. */
  repeated: readonly Outflow[];
}

/** Null with less than four weeks of activity. */
function toCourse(days: readonly BookDay[]): Course | null {
  const past = days.slice(0, -1);
  const begun = past.findIndex(({ inflow, outflow }) => inflow + outflow > 0);
  if (begun < 0 || past.length - begun < WEEKS * WEEK) {
    return null;
  }
  const net = past.map(toNet);
  const monthly = findMonthly(past);
  const today = days.at(-1)?.day ?? "";
  const level = toMiddle(net);
  const even = net.map((outflow, at) =>
    monthly.has(toDayOfMonth(past[at]?.day ?? "")) ? Math.min(outflow, level) : outflow,
  );
  const weeks = Array.from({ length: WEEKS }, (_, at) =>
    even.slice(even.length - WEEK * (at + 1), even.length - WEEK * at),
  );
  const heaviest = weeks.toSorted((a, b) => toSum(b) - toSum(a))[0] ?? [];
  return {
    heaviest: (ahead) => {
      const usual = Math.max(0, heaviest[ahead % WEEK] ?? 0);
      return RESERVE * (usual + toExtra(monthly, { today, ahead }, "highest"));
    },
    repeated: weeks.map(
      (week) => (ahead) => (week[ahead % WEEK] ?? 0) + toExtra(monthly, { today, ahead }, "lowest"),
    ),
  };
}

/** The pace of an account that is younger than four weeks: the mean since its activity began. */
function toPaceForecast(available: number, days: readonly BookDay[]): Forecast | null {
  const pace = toPace(days);
  if (pace === null) {
    return null;
  }
  const end = Math.floor(available / pace);
  return { earliest: end, latest: end };
}

function toPace(days: readonly BookDay[]): number | null {
  const recent = days.slice(-PACE_DAYS);
  const begun = recent.findIndex(({ inflow, outflow }) => inflow + outflow > 0);
  const span = begun < 0 ? 0 : recent.length - begun;
  const spent = toSum(recent.map(toNet));
  return span < FORECAST_DAYS_MIN || spent <= 0 ? null : spent / span;
}

/** The first day ahead on which nothing is left; null if that is beyond the horizon. */
function findEnd(available: number, toOutflow: Outflow): number | null {
  let left = available;
  for (let ahead = 1; ahead <= HORIZON_DAYS; ahead += 1) {
    left -= toOutflow(ahead);
    if (left <= 0) {
      return ahead;
    }
  }
  return null;
}

/** The outflow of a day of the month above the usual, in the last two months. */
type Monthly = ReadonlyMap<number, { lowest: number; highest: number }>;

function toExtra(
  monthly: Monthly,
  { today, ahead }: { today: string; ahead: number },
  which: "lowest" | "highest",
): number {
  return monthly.get(toDayOfMonth(addDays(today, ahead)))?.[which] ?? 0;
}

/** The days of the month that occurred at least twice in the last 62 days and whose outflow stood out every time. */
function findMonthly(past: readonly BookDay[]): Monthly {
  const nets = past.map(toNet);
  const level = toMiddle(nets);
  // The mean, not the middle: where most days have no outflow, the middle is zero, and every payday would stand out.
  const least = STANDS_OUT * Math.max(0, toSum(nets) / nets.length);
  const byDay = Map.groupBy(past.slice(-62), ({ day }) => toDayOfMonth(day));
  return new Map(
    [...byDay].flatMap(([dayOfMonth, same]) => {
      const outflows = same.map(toNet);
      const lowest = Math.min(...outflows);
      const extra = { lowest: lowest - level, highest: Math.max(...outflows) - level };
      return same.length > 1 && lowest > least ? [[dayOfMonth, extra] as const] : [];
    }),
  );
}

function toNet({ outflow, inflowFromCards }: BookDay): number {
  return outflow - inflowFromCards;
}

function toSum(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function toMiddle(amounts: readonly number[]): number {
  return amounts.toSorted((a, b) => a - b)[Math.floor(amounts.length / 2)] ?? 0;
}

function toDayOfMonth(day: string): number {
  return Number(day.slice(-2));
}
