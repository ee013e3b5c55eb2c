import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { toRecent } from "#lib/overview/internal/recent-rows.ts";
import { toSpend } from "#lib/overview/internal/spend-rows.ts";

const DAY_MS = 24 * 3_600_000;

/** Purchases and refunds that posted in a period, in minor units. */
export interface SpendSum {
  purchased: number;
  refunded: number;
  /** How many purchases and refunds these are. */
  transactions: number;
}

/** The sum of one category or country: its code, or `unknown`. */
export interface NamedSpend extends SpendSum {
  name: string;
}

/** What was spent in a period: in all, and by category and by country, each from the most to the least. */
export interface Spend {
  total: SpendSum;
  categories: readonly NamedSpend[];
  countries: readonly NamedSpend[];
}

/**
 * Sums what was spent with all cards by when it posted, as statements do. The cost grows with the days of the period and
 * with the categories and countries of each day, however many purchases there were.
 * @param period begins and ends at a quarter of an hour, as the days of every time zone do; its end is excluded.
 */
export async function readSpend(
  ctx: ReadContext,
  period: { from: Date; to: Date },
): Promise<Spend> {
  const { integratorId } = ctx.actor;
  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  const parts = sql.join(
    toParts(period).map(
      ({ span, since, until }) =>
        sql`(${span}::text, ${since.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz)`,
    ),
    sql`, `,
  );
  const recent = toSpend(
    sql`${toRecent(sql`id, kind, amount, created_at, debit_account_id, credit_account_id`, sql`transfers`)} as recent
      where integrator_id = ${integratorId} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz`,
  );
  const rows = await ctx.db.execute<
    Record<keyof SpendSum, number> & Record<"category" | "country", string | null>
  >(sql`
    select category, country, sum(purchased)::float8 as purchased, sum(refunded)::float8 as refunded,
      sum(transactions)::float8 as transactions
    from (
      select rolled.* from (values ${parts}) as part (span, since, until)
      cross join lateral (
        select category, country, purchased, refunded, transactions from spend_rollups
        where integrator_id = ${integratorId} and span = part.span and start >= part.since and start < part.until offset 0
      ) as rolled
      union all
      select category, country, purchased, refunded, 1 from ${recent} as recent
    ) as spent group by grouping sets ((category), (country))`);
  const by = (member: "category" | "country") =>
    rows
      .flatMap(({ [member]: name, ...sum }) => (name === null ? [] : [toNamed(name, sum)]))
      .toSorted((one, other) => toNet(other) - toNet(one) || (one.name < other.name ? -1 : 1));
  const categories = by("category");
  return { total: addUp(categories), categories, countries: by("country") };
}

/** Whether anything was spent before a moment, as of the last rollup. */
export async function isSpentBefore(ctx: ReadContext, before: Date): Promise<boolean> {
  const [row] = await ctx.db.execute<{ spent: boolean }>(sql`
    select exists (
      select from spend_rollups
      where integrator_id = ${ctx.actor.integratorId} and span = 'quarter' and start < ${before.toISOString()}::timestamptz
    ) as spent`);
  return row?.spent ?? false;
}

/** Purchases minus refunds. */
export function toNet({ purchased, refunded }: SpendSum): number {
  return purchased - refunded;
}

function toNamed(name: string, { purchased, refunded, transactions }: SpendSum): NamedSpend {
  return { name, purchased, refunded, transactions };
}

function addUp(sums: readonly SpendSum[]): SpendSum {
  const none: SpendSum = { purchased: 0, refunded: 0, transactions: 0 };
  return sums.reduce(
    (sofar, each) => ({
      purchased: sofar.purchased + each.purchased,
      refunded: sofar.refunded + each.refunded,
      transactions: sofar.transactions + each.transactions,
    }),
    none,
  );
}

interface Part {
  span: "quarter" | "day";
  since: Date;
  /** Excluded. */
  until: Date;
}

/** A period as whole days in UTC, with quarter-hours before and after them. */
function toParts({ from, to }: { from: Date; to: Date }): Part[] {
  const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const last = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  return first < last
    ? [
        { span: "quarter", since: from, until: first },
        { span: "day", since: first, until: last },
        { span: "quarter", since: last, until: to },
      ]
    : [{ span: "quarter", since: from, until: to }];
}
