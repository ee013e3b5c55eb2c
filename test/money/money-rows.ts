import { sql } from "drizzle-orm";
import { testDatabase } from "#test/database/database.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

/** What the product has written, for the model to compare. Amounts in minor units. */

/** The float, which has no status, and every card. */
export function readAccounts({ id }: TestIntegrator) {
  return testDatabase().db.execute<{
    id: string;
    status: string | null;
    balance: number;
    held: number;
  }>(sql`
    select id, status, balance::float8 as balance, held::float8 as held from ledger_accounts
    where integrator_id = ${id} and kind in ('card', 'float')`);
}

/** Purchases, authorizations, and their declines. */
export function readSpending({ id }: TestIntegrator) {
  return testDatabase().db.execute<{
    id: string;
    status: string;
    amount: number;
    refunded: number;
    captured: number;
    released: number;
  }>(sql`
    select id, status, amount::float8 as amount, refunded::float8 as refunded,
      coalesce(hold_captured, 0)::float8 as captured, coalesce(hold_released, 0)::float8 as released
    from transactions where integrator_id = ${id} and type = 'deduct'`);
}
