import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt, toTimeOfId } from "#lib/base/ids.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { toSpend } from "#lib/overview/internal/spend-rows.ts";
import { toNet } from "#lib/overview/spend.ts";
import type { NamedSpend } from "#lib/overview/spend.ts";
import { cards } from "#db/schema/cards.ts";

/** How many movements of funds are read, of all kinds: within a fraction of a second, however many an account has. */
export const MOVEMENTS_MAX = 10_000;

/** How many cards, how many cardholders, and how many merchants are named. */
const NAMED_MAX = 10;

/** Those with the highest spending, each with its id; a merchant has its name. */
export interface TopSpend {
  /** From the most to the least. */
  sums: readonly NamedSpend[];
  /** How many there are in all. */
  count: number;
  /** The sum over those that bought for more than was refunded, in minor units. */
  whole: number;
}

/** The cards with the highest spending, the cardholders with all of their cards, and the merchants. */
export interface Top extends Record<By, TopSpend> {
  /** The first day counted, if it is later than the period's, because there were too many movements to read. */
  since: string | null;
}

/**
 * Sums what was spent by card, by cardholder, and by merchant, by when it posted. If the period has more movements than
 * are read, only its last whole days count, so that the sums cover complete days. To be called after `planByIndex`.
 */
export async function readTopSpend(
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
  const spent = toSpend(
    sql`transfers where integrator_id = ${integratorId} and id >= ${firstIdAt(start.getTime())}::uuid and ${end}`,
  );
  const rows = await ctx.db.execute<RankedRow>(sql`
    with spent as materialized (select card_id, merchant, purchased, refunded from ${spent} as spent),
    by_card as materialized (${sumUp(sql`card_id`)}),
    by_cardholder as (
      select card.cardholder_id as name, sum(purchased) as purchased, sum(refunded) as refunded,
        sum(transactions) as transactions
      from by_card join ${cards} as card on card.integrator_id = ${integratorId} and card.id = by_card.name
      group by 1
    ),
    by_merchant as (${sumUp(sql`merchant`)})
    ${rank("cards", sql`by_card`)} union all ${rank("cardholders", sql`by_cardholder`)}
    union all ${rank("merchants", sql`by_merchant`)}`);
  const toTop = (by: By) => toTopSpend(rows.filter((row) => row.by === by));
  return {
    cards: toTop("cards"),
    cardholders: toTop("cardholders"),
    merchants: toTop("merchants"),
    since,
  };
}

type By = "cards" | "cardholders" | "merchants";

interface RankedRow extends NamedSpend, Record<string, unknown> {
  by: By;
  count: number;
  whole: number;
}

function sumUp(name: SQL): SQL {
  return sql`
    select ${name} as name, sum(purchased)::float8 as purchased, sum(refunded)::float8 as refunded,
      count(*)::float8 as transactions
    from spent group by 1`;
}

function rank(by: By, sums: SQL): SQL {
  return sql`(
    select ${by}::text as by, name::text, purchased, refunded, transactions, count(*) over ()::float8 as count,
      sum(greatest(purchased - refunded, 0)) over () as whole
    from ${sums} order by purchased - refunded desc, name limit ${NAMED_MAX})`;
}

function toTopSpend(rows: readonly RankedRow[]): TopSpend {
  return {
    sums: rows
      .map(({ name, purchased, refunded, transactions }) => ({
        name,
        purchased,
        refunded,
        transactions,
      }))
      .toSorted((one, other) => toNet(other) - toNet(one)),
    count: rows[0]?.count ?? 0,
    whole: rows[0]?.whole ?? 0,
  };
}

/** The day after the one in which a record was made. */
function toDayAfter(id: string, timeZone: string): string {
  return addDays(toLocalDay(new Date(toTimeOfId(id) ?? 0), timeZone), 1);
}
