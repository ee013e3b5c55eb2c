import { readBookDays } from "#lib/overview/book-days.ts";
import type { BookDay } from "#lib/overview/book-days.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Float } from "#lib/funds/funds.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";

/** A day, and the float's balance at its end. */
export interface FloatDay extends BookDay {
  closing: number;
}

/** How many days the charts show. */
export const DAYS = 30;

/** The last 30 days of a time zone, oldest first, ending today. */
export async function getFloatDays(
  ctx: ReadContext,
  float: Float,
  timeZone: string,
): Promise<FloatDay[]> {
  const [, days] = await Promise.all([planByIndex(ctx), readFloatDays(ctx, float, timeZone)]);
  return days;
}

/** As `getFloatDays`, after `planByIndex`. Closing balances are computed backwards from the current balance. */
export async function readFloatDays(
  ctx: ReadContext,
  float: Float,
  timeZone: string,
): Promise<FloatDay[]> {
  const { at: now } = await readMoment(ctx.db);
  const days: FloatDay[] = [];
  let closing = float.balance;
  const read = await readBookDays(ctx, { days: DAYS, now, timeZone });
  for (const day of read.toReversed()) {
    days.unshift({ ...day, closing });
    closing -= day.inflow - day.outflow;
  }
  return days;
}
