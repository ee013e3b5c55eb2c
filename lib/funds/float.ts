import { and, eq, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Float } from "#lib/funds/funds.ts";
import { integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";

/** What an integrator owes, in minor units, for a query that selects its float's account. */
export const DEFICIT = sql<number>`(
  select -d.balance from ledger_accounts d
  where d.integrator_id = ${ledgerAccounts.integratorId} and d.kind = 'deficit' and d.kind <> 'card'
)::float8`;

/** The integrator's current float. */
export async function getFloat(ctx: ReadContext): Promise<Float> {
  const [row] = await ctx.db
    .select({
      id: ledgerAccounts.id,
      balance: ledgerAccounts.balance,
      held: ledgerAccounts.held,
      currency: ledgerAccounts.currency,
      deficit: DEFICIT,
      lowBalanceThreshold: integrators.lowBalanceThreshold,
      updatedAt: ledgerAccounts.updatedAt,
    })
    .from(ledgerAccounts)
    .innerJoin(integrators, eq(integrators.id, ledgerAccounts.integratorId))
    .where(
      and(
        eq(ledgerAccounts.integratorId, ctx.actor.integratorId),
        // A literal, not a parameter, so that the planner can use the partial index that excludes cards.
        sql`${ledgerAccounts.kind} = 'float'`,
      ),
    );
  if (!row || row.balance === null || row.held === null) {
    throw new Error(`Integrator ${ctx.actor.integratorId} has no float.`);
  }
  const { held, balance, ...float } = row;
  return { ...float, balance, available: balance - held };
}
