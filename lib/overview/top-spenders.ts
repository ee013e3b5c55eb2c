import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt, toTimeOfId } from "#lib/base/ids.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { toNet } from "#lib/overview/spend.ts";
import type { SpendSum } from "#lib/overview/spend.ts";
import { cards } from "#db/schema/cards.ts";

/** How many movements of funds are read, of all kinds: a few milliseconds, however many an account has. */
export const MOVEMENTS_MAX = 10_000;

/** How many cards, and how many cardholders, are named. */
const NAMED_MAX = 10;

/** What was spent with a card, or by a cardholder, in minor units. */
export interface SpenderSum extends SpendSum {
  id: string;
}

/** Those who spent the most. */
export interface TopSpenders {
  /** From the most to the least. */
  spenders: readonly SpenderSum[];
  /** How many spent anything. */
  count: number;
  /** The sum over those who bought for more than was refunded, in minor units. */
  whole: number;
}

/** The cards with which the most was spent, and the cardholders who spent the most with all of their cards. */
export interface Top {
  cards: TopSpenders;
  cardholders: TopSpenders;
  /** The first day counted, if it is later than the period's, because there were too many movements to read. */
  since: string | null;
}

/**
 * Sums what was spent by card and by cardholder, by when it posted. If the period has more movements than are read,
 * only its last whole days count, so that the sums cover complete days. To be called after `planByIndex`.
 */
export async function readTopSpenders(
  ctx: ReadContext,
  { from, to }: { from: Date; to: Date },
  { timeZone, movementsMax = MOVEMENTS_MAX }: { timeZone: string; movementsMax?: number },
): Promise<Top> {
  const { integratorId } = ctx.actor;
  const end = sql`id < ${firstIdAt(to.getTime())}::uuid`;
  const [beyond] = await ctx.db.execute<{ id: string }>(sql`
    select id from transfers
    where integrator_id = ${integratorId} and id >= ${firstIdAt(from.getTime())}::uuid and ${end}
    order by id desc offset ${movementsMax}::int limit 1`);
  const since = beyond ? toDayAfter(beyond.id, timeZone) : null;
  const start = since === null ? from : toDayStart(since, timeZone);
  const rows = await ctx.db.execute<RankedRow>(sql`
    with by_card as materialized (
      select case kind when 'card_purchase' then debit_account_id else credit_account_id end as id,
        coalesce(sum(amount) filter (where kind = 'card_purchase'), 0)::float8 as purchased,
        coalesce(sum(amount) filter (where kind = 'card_refund'), 0)::float8 as refunded, count(*)::float8 as transactions
      from transfers
      where integrator_id = ${integratorId} and id >= ${firstIdAt(start.getTime())}::uuid and ${end}
        and kind in ('card_purchase', 'card_refund')
      group by 1
    ), by_cardholder as materialized (
      select card.cardholder_id as id, sum(purchased) as purchased, sum(refunded) as refunded,
        sum(transactions) as transactions
      from by_card join ${cards} as card on card.integrator_id = ${integratorId} and card.id = by_card.id
      group by 1
    )
    ${rank("card", sql`by_card`)} union all ${rank("cardholder", sql`by_cardholder`)}`);
  return { cards: toTop(rows, "card"), cardholders: toTop(rows, "cardholder"), since };
}

type Of = "card" | "cardholder";

interface RankedRow extends SpenderSum, Record<string, unknown> {
  of: Of;
  count: number;
  whole: number;
}

function rank(of: Of, sums: SQL): SQL {
  return sql`(
    select ${of}::text as of, id, purchased, refunded, transactions, count(*) over ()::float8 as count,
      sum(greatest(purchased - refunded, 0)) over () as whole
    from ${sums} order by purchased - refunded desc, id limit ${NAMED_MAX})`;
}

function toTop(rows: readonly RankedRow[], of: Of): TopSpenders {
  const ranked = rows.filter((row) => row.of === of);
  return {
    spenders: ranked
      .map(({ id, purchased, refunded, transactions }) => ({
        id,
        purchased,
        refunded,
        transactions,
      }))
      .toSorted((one, other) => toNet(other) - toNet(one) || (one.id < other.id ? -1 : 1)),
    count: ranked[0]?.count ?? 0,
    whole: ranked[0]?.whole ?? 0,
  };
}

/** The day after the one in which a record was made. */
function toDayAfter(id: string, timeZone: string): string {
  return addDays(toLocalDay(new Date(toTimeOfId(id) ?? 0), timeZone), 1);
}
