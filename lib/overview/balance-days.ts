import type { ReadContext } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { addDays, toDayStart } from "#lib/base/time-zone.ts";
import { readBalancesBefore } from "#lib/ledger/account-versions.ts";
import { DAYS } from "#lib/overview/float-days.ts";
import { listDays } from "#lib/overview/internal/book-days.ts";

/** A day, and the balance at its end, in minor units. */
export interface BalanceDay {
  /** `2026-01-31` */
  day: string;
  closing: number;
}

/**
 * A card's balance at the end of each of the last {@link DAYS}, oldest first; of today, now. Each costs some twenty look-ups
 * in a card with a million movements.
 */
export async function readBalanceDays(
  ctx: ReadContext,
  { cardId, timeZone }: { cardId: string; timeZone: string },
): Promise<BalanceDay[]> {
  const [, { at: now }] = await Promise.all([planByIndex(ctx), readMoment(ctx.db)]);
  const days = listDays({ days: DAYS, now, timeZone });
  const ends = days.map((day) => toDayStart(addDays(day, 1), timeZone));
  const closings = await readBalancesBefore(ctx, cardId, ends);
  return days.map((day, index) => ({ day, closing: closings[index] ?? 0 }));
}
