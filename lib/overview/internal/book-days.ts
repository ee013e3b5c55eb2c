import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { CardStatus } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import type { transfers } from "#db/schema/ledger.ts";

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

type Kind = (typeof transfers.$inferSelect)["kind"];

/**
 * Selects the rows that no rollup contains yet (`rollup.ts`). The checkpoint and the sums change in one transaction, so a
 * single statement that reads both is always exact. The fence (`offset 0`) makes the planner use the index of positions;
 * otherwise it might read all of the integrator's rows.
 */
function toRecent(columns: SQL, table: SQL): SQL {
  return sql`(
    select integrator_id, ${columns} from ${table}
    where xid >= coalesce((select xid from rollup_checkpoints), '0'::xid8) offset 0
  )`;
}

/** The last days of a time zone up to now, oldest first. `now` must be the database's clock, as in the rows. */
export async function readBookDays(
  ctx: ReadContext,
  query: { days: number; now: Date; timeZone: string },
): Promise<BookDay[]> {
  const days = listDays(query);
  const starts = days.map((day) => toDayStart(day, query.timeZone).toISOString());
  const recent = toRecent(sql`kind, amount, created_at`, sql`transfers`);
  // The driver writes arrays of text, but not of times. In a subquery they become times once; otherwise once per row, which
  // for thousands of rows takes far longer than reading them.
  const rows = await ctx.db.execute<{ nth: number; kind: Kind; amount: number }>(sql`
    select width_bucket(at, (select ${sql.param(starts)}::text[]::timestamptz[])) as nth, kind, sum(amount)::float8 as amount
    from (
      select quarter as at, kind, amount from transfer_rollups
      where integrator_id = ${ctx.actor.integratorId} and quarter >= ${starts[0]}::timestamptz
      union all
      select created_at, kind, amount from ${recent} as recent
      where integrator_id = ${ctx.actor.integratorId} and created_at >= ${starts[0]}::timestamptz
    ) as moved group by 1, kind`);
  const amounts = new Map(rows.map(({ nth, kind, amount }) => [`${nth} ${kind}`, amount]));
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

function toBookDay(day: string, sumOf: (kind: Kind) => number): BookDay {
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
