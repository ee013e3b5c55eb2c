import { sql } from "drizzle-orm";
import type { CardStatus } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { toRecent } from "#lib/overview/internal/recent-rows.ts";
import { readTransferSums } from "#lib/overview/transfer-sums.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";

/**
 * The movements of one day of a time zone, in minor units: into and out of the float, spent with cards, and refunded to
 * them.
 */
export interface BookDay {
  /** `2026-01-31` */
  day: string;
  inflow: number;
  outflow: number;
  /** The part of `inflow` that came from cards. The rest was topped up. */
  inflowFromCards: number;
  spent: number;
  refunded: number;
}

/** The last days of a time zone up to now, oldest first. `now` must be the database's clock, as in the rows. */
export async function readBookDays(
  ctx: ReadContext,
  query: { days: number; now: Date; timeZone: string },
): Promise<BookDay[]> {
  const days = listDays(query);
  const starts = days.map((day) => toDayStart(day, query.timeZone));
  const sums = await readTransferSums(ctx, { starts });
  const amounts = new Map(sums.map(({ nth, kind, amount }) => [`${nth} ${kind}`, amount]));
  return days.map((day, index) =>
    toBookDay(day, (kind) => amounts.get(`${index + 1} ${kind}`) ?? 0),
  );
}

/** The last days of a time zone up to now, oldest first. */
export function listDays({
  days,
  now,
  timeZone,
}: {
  days: number;
  now: Date;
  timeZone: string;
}): string[] {
  const today = toLocalDay(now, timeZone);
  return Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days));
}

function toBookDay(day: string, sumOf: (kind: TransferKind) => number): BookDay {
  const inflowFromCards = sumOf("card_debit") + sumOf("card_sweep") + sumOf("cover_return");
  return {
    day,
    inflow: sumOf("float_top_up") + inflowFromCards,
    outflow: sumOf("card_credit") + sumOf("cover") + sumOf("deficit_repayment"),
    inflowFromCards,
    spent: sumOf("card_purchase"),
    refunded: sumOf("card_refund"),
  };
}

/** How many cards the integrator has in each status. */
export async function countCardsByStatus(ctx: ReadContext): Promise<Record<CardStatus, number>> {
  const recent = toRecent(sql`from_status, to_status`, sql`card_state_changes`);
  const rows = await ctx.db.execute<{ status: CardStatus; cards: number }>(sql`
    select status, sum(cards)::float8 as cards from (
      select status, cards from card_rollups where integrator_id = ${ctx.actor.integratorId}
      union all
      select side.status, side.cards
      from ${recent} as recent cross join lateral (values (to_status, 1), (from_status, -1)) as side (status, cards)
      where integrator_id = ${ctx.actor.integratorId} and side.status is not null
    ) as counted group by status`);
  const of = (status: CardStatus) => rows.find((row) => row.status === status)?.cards ?? 0;
  return { active: of("active"), frozen: of("frozen"), closed: of("closed") };
}
