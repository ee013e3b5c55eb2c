import { toDayName } from "../chart/chart-frame.tsx";
import { formatMoney } from "#lib/base/money.ts";
import { addDays } from "#lib/base/time-zone.ts";
import type { Overview } from "#lib/overview/overview.ts";

/** Days that are at most this far apart are named as one. */
const AS_ONE_DAYS = 3;
/** Beyond this, nobody plans in days. */
const DISTANT_DAYS = 365;

/** The top-up that extends the float: `Top up $5,200.00 to stay above the threshold until Dec 28`. */
export function toTopUpText(
  { amount, until }: NonNullable<Overview["topUp"]>,
  { currency, lowBalanceThreshold }: Overview["float"],
): string {
  const goal = lowBalanceThreshold === null ? "last" : "stay above the threshold";
  return `Top up ${formatMoney(amount, currency)} to ${goal} until ${toDayName(until)}`;
}

/** How long the float lasts without a top-up: `Lasts until about Dec 8 without a top-up`. Null without a forecast. */
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
