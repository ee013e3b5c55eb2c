import { sql } from "drizzle-orm";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import type { Db } from "#db/client.ts";

/** What the product has in its books about one integrator, for the model to be compared with. Amounts in minor units. */
export async function readBooks(db: Db, integratorId: string) {
  const accounts = await db.execute<{
    id: string;
    kind: string;
    status: string | null;
    balance: number;
    held: number;
  }>(sql`
    select id, kind, status, balance::float8 as balance, held::float8 as held from ledger_accounts
    where integrator_id = ${integratorId} and kind in ('card', 'float', 'deficit')`);
  const purchases = await db.execute<{
    id: string;
    status: string;
    amount: number;
    covered: number;
    refunded: number;
    captured: number;
    released: number;
  }>(sql`
    select id, status, amount::float8 as amount, refunded::float8 as refunded,
      coalesce(covered_float + covered_deficit, 0)::float8 as covered,
      coalesce(hold_captured, 0)::float8 as captured, coalesce(hold_released, 0)::float8 as released
    from transactions where integrator_id = ${integratorId} and type = 'deduct' and takes_back is null`);
  return { accounts, purchases };
}

/** Lets the deadline of an authorization pass. */
export async function passDeadline(db: Db, integratorId: string, id: string): Promise<void> {
  await db.execute(sql`
    update transactions set hold_expires_at = clock_timestamp()
    where integrator_id = ${integratorId} and id = ${id} and hold_amount is not null`);
}

/** Runs the expiry until an authorization whose deadline has passed is released. */
export async function sweepExpired(db: Db, integratorId: string, id: string): Promise<void> {
  // Another expiry run may already be releasing it.
  const isOpen = async () => {
    await expireHolds(db);
    const [row] = await db.execute<{ open: boolean }>(sql`
      select coalesce(hold_captured + hold_released < hold_amount, false) as open from transactions
      where integrator_id = ${integratorId} and id = ${id}`);
    return row?.open ?? false;
  };
  while (await isOpen());
}
