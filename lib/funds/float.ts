import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Float } from "#lib/funds/funds.ts";
import { requireVersionCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { integrators } from "#db/schema/integrators.ts";
import { entries, ledgerAccounts, transfers } from "#db/schema/ledger.ts";

/** One line of the float's statement. `amount` is signed: positive for incoming funds. Minor units. */
export interface FloatEntry {
  transferId: string;
  kind: (typeof transfers.$inferSelect)["kind"];
  amount: number;
  currency: string;
  balanceAfter: number;
  /** Numbers the float's entries from 1 without a gap. */
  version: number;
  /** The card on the other side. Null for a top-up. */
  cardId: string | null;
  requestId: string;
  createdAt: Date;
}

/** The integrator's current float. */
export async function getFloat(ctx: ReadContext): Promise<Float> {
  const [row] = await ctx.db
    .select({
      id: ledgerAccounts.id,
      balance: ledgerAccounts.balance,
      held: ledgerAccounts.held,
      currency: ledgerAccounts.currency,
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

/** The float's statement, newest first, in the order in which the ledger posted it. */
export async function listFloatEntries(
  ctx: ReadContext,
  paging: { limit: number; cursor?: string | undefined },
): Promise<Page<FloatEntry>> {
  const before = requireVersionCursor(paging.cursor);
  const { id: floatId } = await getFloat(ctx);
  const rows = await ctx.db
    .select({ entry: entries, transfer: transfers })
    .from(entries)
    .innerJoin(
      transfers,
      and(eq(transfers.integratorId, entries.integratorId), eq(transfers.id, entries.transferId)),
    )
    .where(
      and(
        eq(entries.integratorId, ctx.actor.integratorId),
        eq(entries.accountId, floatId),
        before === undefined ? undefined : lt(entries.accountVersion, before),
      ),
    )
    .orderBy(desc(entries.accountVersion))
    .limit(paging.limit + 1);
  return toPage(
    rows.map((row) => toFloatEntry(floatId, row)),
    paging.limit,
    (entry) => String(entry.version),
  );
}

function toFloatEntry(
  floatId: string,
  row: { entry: typeof entries.$inferSelect; transfer: typeof transfers.$inferSelect },
): FloatEntry {
  const { entry, transfer } = row;
  if (entry.accountVersion === null || entry.balanceAfter === null) {
    throw new Error(`The float's entry of transfer ${entry.transferId} has no balance.`);
  }
  const other =
    transfer.debitAccountId === floatId ? transfer.creditAccountId : transfer.debitAccountId;
  return {
    transferId: transfer.id,
    kind: transfer.kind,
    amount: entry.amount,
    currency: entry.currency,
    balanceAfter: entry.balanceAfter,
    version: entry.accountVersion,
    cardId: transfer.kind === "float_top_up" ? null : other,
    requestId: transfer.requestId,
    createdAt: transfer.createdAt,
  };
}
