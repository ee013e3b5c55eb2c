import type { ReadContext } from "#lib/base/context.ts";
import { addDays } from "#lib/base/time-zone.ts";
import { getFloat } from "#lib/funds/float.ts";
import { readFloatDays } from "#lib/overview/float-days.ts";
import { FORECAST_DAYS, toForecast } from "#lib/overview/internal/forecast.ts";

/** How many days ahead a low float counts as a need. */
const SOON_DAYS = 7;

/**
 * The day within a week, such as 2026-01-31, on which the float may fall below its threshold. Null if it will not, or
 * if it already has: an alert reports that.
 */
export async function findLowDay(
  ctx: ReadContext,
  timeZone: string,
  now: Date,
): Promise<string | null> {
  const float = await getFloat(ctx);
  const { available, lowBalanceThreshold: threshold } = float;
  if (threshold === null || available < threshold) {
    return null;
  }
  const days = await readFloatDays(ctx, { float, days: FORECAST_DAYS, timeZone, now });
  const forecast = toForecast(available - threshold, days);
  const today = days.at(-1)?.day;
  return forecast && today !== undefined && forecast.earliest <= SOON_DAYS
    ? addDays(today, forecast.earliest)
    : null;
}
