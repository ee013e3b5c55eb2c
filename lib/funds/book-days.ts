import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";

/** What moved on one day (UTC): into and out of the float, spent with the cards, and refunded to them. Minor units. */
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

export const DAY_MS = 86_400_000;

/** Every transaction that started before midnight has long ended by then. `now` must be the database's clock, as in ids. */
const FINAL_AFTER_MS = 3_600_000;

/** The maximum number of cached days, across all integrators. */
const CACHED_MAX = 30_000;

/** Past days, by integrator and day. Entries never change, so neither do these. */
const HOLDER = Symbol.for("floatdeck.book-days");
const holder: { [HOLDER]?: Map<string, BookDay> } & typeof globalThis = globalThis;

/**
 * The last days up to now, oldest first. A past day is read once and cached, so that a page then costs as much as today's
 * activity, not as the account's whole history. Days are read one by one, so an interrupted read keeps its progress.
 */
export async function readBookDays(
  ctx: ReadContext,
  query: { floatId: string; days: number; now: Date },
): Promise<BookDay[]> {
  const cache = (holder[HOLDER] ??= new Map());
  const today = Math.floor(query.now.getTime() / DAY_MS) * DAY_MS;
  const read: BookDay[] = [];
  for (let back = query.days - 1; back >= 0; back -= 1) {
    const start = today - back * DAY_MS;
    const key = `${ctx.actor.integratorId} ${start}`;
    const day = cache.get(key) ?? (await readDay(ctx, query.floatId, start));
    read.push(day);
    if (query.now.getTime() >= start + DAY_MS + FINAL_AFTER_MS) {
      store(cache, key, day);
    }
  }
  return read;
}

/** Ids of transfers encode their time, so a day is a range of ids. */
async function readDay(ctx: ReadContext, floatId: string, start: number): Promise<BookDay> {
  const [row] = await ctx.db.execute<Omit<BookDay, "day">>(sql`
    select
      coalesce(sum(amount) filter (where account_id = ${floatId} and amount > 0), 0)::float8 as "inflow",
      coalesce(-sum(amount) filter (where account_id = ${floatId} and amount < 0), 0)::float8 as "outflow",
      coalesce(sum(amount) filter (where account_id = ${floatId} and amount > 0), 0)::float8
        + coalesce(sum(amount) filter (where account_id = bank.id), 0)::float8 as "inflowFromCards",
      coalesce(sum(amount) filter (where account_id = network.id and amount > 0), 0)::float8 as spent,
      coalesce(-sum(amount) filter (where account_id = network.id and amount < 0), 0)::float8 as refunded
    from entries cross join (
      select id from ledger_accounts where integrator_id = ${ctx.actor.integratorId} and kind = 'network'
    ) as network cross join (
      select id from ledger_accounts where integrator_id = ${ctx.actor.integratorId} and kind = 'bank'
    ) as bank
    where integrator_id = ${ctx.actor.integratorId}
      and transfer_id >= ${firstIdAt(start)}::uuid and transfer_id < ${firstIdAt(start + DAY_MS)}::uuid`);
  if (!row) {
    throw new Error("A sum returned no row.");
  }
  return { day: new Date(start).toISOString().slice(0, 10), ...row };
}

/** Evicts the day that was stored first. */
function store(cache: Map<string, BookDay>, key: string, day: BookDay): void {
  cache.set(key, day);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) {
    cache.delete(oldest);
  }
}
