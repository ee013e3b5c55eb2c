import { toDayName } from "./chart-frame.tsx";
import type { FloatDay } from "#lib/overview/float-days.ts";

/** The sums that a bar can show, in minor units. */
const SUMS = ["inflow", "outflow", "spent", "refunded"] as const;

export type BarSum = (typeof SUMS)[number];

/** A day, or the days of a week, with their sums. */
export interface Bar extends Record<BarSum, number> {
  /** The first day, such as 2026-01-31. */
  day: string;
  name: string;
}

/** With more days than this, bars would be too thin to compare, so they show weeks. */
const DAYS_MAX = 45;
const WEEK = 7;

/** The span that each bar covers. */
export function toBarSpan(days: readonly unknown[]): "day" | "week" {
  return days.length > DAYS_MAX ? "week" : "day";
}

/**
 * Groups days as bars show them, oldest first: each alone, or by weeks. The last week ends with the last day; the
 * first week may have fewer days.
 */
export function toBarDays<Day extends { day: string }>(
  days: readonly Day[],
): { day: string; name: string; days: readonly Day[] }[] {
  const span = toBarSpan(days) === "week" ? WEEK : 1;
  const first = days.length % span;
  const starts = [
    ...(first > 0 ? [0] : []),
    ...Array.from({ length: Math.floor(days.length / span) }, (_, at) => first + at * span),
  ];
  return starts.map((start, at) => {
    const covered = days.slice(start, starts[at + 1]);
    const [from = "", to = ""] = [covered[0]?.day, covered.at(-1)?.day];
    const name = from === to ? toDayName(from) : `${toDayName(from)} – ${toDayName(to)}`;
    return { day: from, name, days: covered };
  });
}

/** The bars of days, oldest first. */
export function toBars(all: readonly FloatDay[]): Bar[] {
  return toBarDays(all).map(({ day, name, days }) => {
    const sumOf = (sum: BarSum) => days.reduce((total, each) => total + each[sum], 0);
    return {
      day,
      name,
      inflow: sumOf("inflow"),
      outflow: sumOf("outflow"),
      spent: sumOf("spent"),
      refunded: sumOf("refunded"),
    };
  });
}
