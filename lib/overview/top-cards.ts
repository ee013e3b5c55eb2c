import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt, toTimeOfId } from "#lib/base/ids.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import type { SpendSum } from "#lib/overview/spend.ts";

/** How many movements of funds are read, of all kinds: a few milliseconds, however many an account has. */
const MOVEMENTS_MAX = 10_000;

/** How many cards are named. */
const CARDS_MAX = 10;

/** What was spent with a card, in minor units. */
export interface CardSpend extends SpendSum {
  cardId: string;
}

/** The cards with which the most was spent. */
export interface TopCards {
  /** From the most to the least. */
  cards: readonly CardSpend[];
  /** How many cards were spent with. */
  cardCount: number;
  /** The sum over the cards on which more was bought than refunded, in minor units. */
  whole: number;
  /** The first day that is counted, if it is not the period's: the days before have more movements than are read. */
  since: string | null;
}

/**
 * Sums what was spent by card, by when it posted. Of a period with more movements than are read, the last whole days count,
 * so that each sum is that of the days it names. To be called after `planByIndex`.
 */
export async function readTopCards(
  ctx: ReadContext,
  { from, to }: { from: Date; to: Date },
  { timeZone, movementsMax = MOVEMENTS_MAX }: { timeZone: string; movementsMax?: number },
): Promise<TopCards> {
  const { integratorId } = ctx.actor;
  const end = sql`id < ${firstIdAt(to.getTime())}::uuid`;
  const [beyond] = await ctx.db.execute<{ id: string }>(sql`
    select id from transfers
    where integrator_id = ${integratorId} and id >= ${firstIdAt(from.getTime())}::uuid and ${end}
    order by id desc offset ${movementsMax}::int limit 1`);
  const since = beyond ? toDayAfter(beyond.id, timeZone) : null;
  const start = since === null ? from : toDayStart(since, timeZone);
  const rows = await ctx.db.execute<
    CardSpend & { cardCount: number; whole: number } & Record<string, unknown>
  >(sql`
    select "cardId", purchased, refunded, transactions, count(*) over ()::float8 as "cardCount",
      sum(greatest(purchased - refunded, 0)) over ()::float8 as whole
    from (
      select case kind when 'card_purchase' then debit_account_id else credit_account_id end as "cardId",
        coalesce(sum(amount) filter (where kind = 'card_purchase'), 0)::float8 as purchased,
        coalesce(sum(amount) filter (where kind = 'card_refund'), 0)::float8 as refunded, count(*)::float8 as transactions
      from transfers
      where integrator_id = ${integratorId} and id >= ${firstIdAt(start.getTime())}::uuid and ${end}
        and kind in ('card_purchase', 'card_refund')
      group by 1
    ) as spent
    order by purchased - refunded desc, "cardId" limit ${CARDS_MAX}`);
  return {
    cards: rows.map(({ cardCount: _cardCount, whole: _whole, ...card }) => card),
    cardCount: rows[0]?.cardCount ?? 0,
    whole: rows[0]?.whole ?? 0,
    since,
  };
}

/** The day after the one in which a record was made. */
function toDayAfter(id: string, timeZone: string): string {
  return addDays(toLocalDay(new Date(toTimeOfId(id) ?? 0), timeZone), 1);
}
