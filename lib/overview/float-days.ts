import { readBookDays } from "#lib/overview/internal/book-days.ts";
import type { BookDay } from "#lib/overview/internal/book-days.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Float } from "#lib/funds/funds.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";

/** A day, and the float's balance at its end. */
export interface FloatDay extends BookDay {
  closing: number;
}

/** How many days the charts show unless asked otherwise, and how many the forecast looks back. */
export const DAYS = 30;

/** The last {@link DAYS} of a time zone, oldest first, ending today. */
export async function getFloatDays(
  ctx: ReadContext,
  { float, timeZone }: { float: Float; timeZone: string },
): Promise<FloatDay[]> {
  const [, { at: now }] = await Promise.all([planByIndex(ctx), readMoment(ctx.db)]);
  return readFloatDays(ctx, { float, days: DAYS, timeZone, now });
}

/**
 * As `getFloatDays`, but for any number of days, and to be called after `planByIndex`. Closing balances are computed
 * backward from the current balance.
 * @param now the database's clock.
 */
export async function readFloatDays(
  ctx: ReadContext,
  { float, ...query }: { float: Float; days: number; timeZone: string; now: Date },
): Promise<FloatDay[]> {
  const days: FloatDay[] = [];
  let closing = float.balance;
  const read = await readBookDays(ctx, query);
  for (const day of read.toReversed()) {
    days.unshift({ ...day, closing });
    closing -= day.inflow - day.outflow;
  }
  return days;
}
