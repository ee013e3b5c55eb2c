import { toDayName } from "./chart-frame.tsx";
import { addDays } from "#lib/base/time-zone.ts";
import type { Overview } from "#lib/overview/overview.ts";

/** Days that are no farther apart are named as one. */
const AS_ONE_DAYS = 3;
/** How far ahead a low float needs somebody. */
const SOON_DAYS = 7;
/** Beyond this, nobody plans by days. */
const DISTANT_DAYS = 365;

/** Until when the float lasts without a top-up: `Lasts until about Dec 8 without a top-up`. Null without a forecast. */
export function toForecastText(
  forecast: Overview["forecast"],
  days: Overview["days"],
): string | null {
  const today = days.at(-1)?.day;
  if (!forecast || today === undefined) {
    return null;
  }
  const { earliest, latest } = forecast;
  const toName = (ahead: number) => toDayName(addDays(today, ahead));
  if (earliest > DISTANT_DAYS) {
    return "Lasts for more than a year without a top-up";
  }
  if (latest === null || latest > DISTANT_DAYS) {
    return `Lasts until ${toName(earliest)} or longer without a top-up`;
  }
  return latest - earliest <= AS_ONE_DAYS
    ? `Lasts until about ${toName(earliest)} without a top-up`
    : `Runs out between ${toName(earliest)} and ${toName(latest)} without a top-up`;
}

/** That the float may fall below its threshold within a week. Null if it will not, or already has. */
export function toLowText({
  float: { available, lowBalanceThreshold },
  lowForecast,
  days,
}: Pick<Overview, "float" | "lowForecast" | "days">): string | null {
  const today = days.at(-1)?.day;
  const isLow = lowBalanceThreshold !== null && available < lowBalanceThreshold;
  if (!lowForecast || today === undefined || isLow || lowForecast.earliest > SOON_DAYS) {
    return null;
  }
  const day = toDayName(addDays(today, lowForecast.earliest));
  return `The float may fall below its threshold on ${day}`;
}
