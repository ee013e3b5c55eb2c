import type { BookDay } from "#lib/overview/internal/book-days.ts";

/** A forecast needs this many days of activity. */
export const FORECAST_DAYS_MIN = 7;

/**
 * How many whole days the float lasts at the pace of these days. Null while it does not shrink, or if its activity began
 * less than seven days ago. The pace is the float's net outflow: credits to cards minus returns from them. Top-ups do not count.
 * @param days without gaps, the oldest first, ending today.
 */
export function toDaysLeft(available: number, days: readonly BookDay[]): number | null {
  const active = days.filter(({ inflow, outflow }) => inflow + outflow > 0);
  const [oldest] = active;
  const span = oldest ? days.length - days.indexOf(oldest) : 0;
  if (span < FORECAST_DAYS_MIN) {
    return null;
  }
  const spent = active.reduce(
    (sum, { outflow, inflowFromCards }) => sum + outflow - inflowFromCards,
    0,
  );
  return spent <= 0 ? null : Math.floor(available / (spent / span));
}
