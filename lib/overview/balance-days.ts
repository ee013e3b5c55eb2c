import type { ReadContext } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { toDayStart } from "#lib/base/time-zone.ts";
import type { Card } from "#lib/cards/card-resource.ts";
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
 * A card's balance at the end of each of the last {@link DAYS} days, oldest first. For today, it is the given balance.
 * Each earlier day costs about twenty lookups for a card with a million movements.
 */
export async function readBalanceDays(
  ctx: ReadContext,
  { id, balance }: Pick<Card, "id" | "balance">,
  timeZone: string,
): Promise<BalanceDay[]> {
  const [, { at: now }] = await Promise.all([planByIndex(ctx), readMoment(ctx.db)]);
  const days = listDays({ days: DAYS, now, timeZone });
  const ends = days.slice(1).map((day) => toDayStart(day, timeZone));
  const closings = await readBalancesBefore(ctx, id, ends);
  return days.map((day, index) => ({ day, closing: closings[index] ?? balance }));
}
