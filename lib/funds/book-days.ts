import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";

/** What one day (UTC) moved: into and out of the float, and paid with the cards or given back to them. Minor units. */
export interface BookDay {
  /** `2026-01-31` */
  day: string;
  cameIn: number;
  wentOut: number;
  /** The part of `cameIn` that came from cards; the rest was topped up. */
  cameBack: number;
  spent: number;
  refunded: number;
}

export const DAY_MS = 86_400_000;

/** Long after the last transaction that began before midnight has ended. `now` must be the database's clock, as ids are. */
const FINAL_AFTER_MS = 3_600_000;

/** Days kept, of all integrators together. */
const KEPT_MAX = 30_000;

/** Days that are over, by integrator and day: entries are never changed, so neither are they. */
const HOLDER = Symbol.for("floatdeck.book-days");
const holder: { [HOLDER]?: Map<string, BookDay> } & typeof globalThis = globalThis;

/**
 * The last days up to now, the oldest first. A day that is over is read once and kept, so that from then on a page costs
 * what today has moved and not what the account has. Days are read one by one: a reading that is broken off is not lost.
 */
export async function readBookDays(
  ctx: ReadContext,
  wanted: { floatId: string; days: number; now: Date },
): Promise<BookDay[]> {
  const kept = (holder[HOLDER] ??= new Map());
  const today = Math.floor(wanted.now.getTime() / DAY_MS) * DAY_MS;
  const read: BookDay[] = [];
  for (let back = wanted.days - 1; back >= 0; back -= 1) {
    const start = today - back * DAY_MS;
    const key = `${ctx.actor.integratorId} ${start}`;
    const day = kept.get(key) ?? (await readDay(ctx, wanted.floatId, start));
    read.push(day);
    if (wanted.now.getTime() >= start + DAY_MS + FINAL_AFTER_MS) {
      keep(kept, key, day);
    }
  }
  return read;
}

/** Ids of transfers carry their time, so a day is a range of the key. */
async function readDay(ctx: ReadContext, floatId: string, start: number): Promise<BookDay> {
  const [row] = await ctx.db.execute<Omit<BookDay, "day">>(sql`
    select
      coalesce(sum(amount) filter (where account_id = ${floatId} and amount > 0), 0)::float8 as "cameIn",
      coalesce(-sum(amount) filter (where account_id = ${floatId} and amount < 0), 0)::float8 as "wentOut",
      coalesce(sum(amount) filter (where account_id = ${floatId} and amount > 0), 0)::float8
        + coalesce(sum(amount) filter (where account_id = bank.id), 0)::float8 as "cameBack",
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
    throw new Error("A sum had no row.");
  }
  return { day: new Date(start).toISOString().slice(0, 10), ...row };
}

/** The day that was kept first goes first. */
function keep(kept: Map<string, BookDay>, key: string, day: BookDay): void {
  kept.set(key, day);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) {
    kept.delete(oldest);
  }
}
