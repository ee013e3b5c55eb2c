import { sql } from "drizzle-orm";
import { testDatabase } from "#test/database/database.ts";

/** What the product has in its books about one integrator, for the model to be compared with. Amounts in minor units. */
export async function readBooks(integratorId: string) {
  const { db } = testDatabase();
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
    from transactions where integrator_id = ${integratorId} and type = 'deduct'`);
  return { accounts, purchases };
}
