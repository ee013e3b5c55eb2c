import { and, desc, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/transactions.ts";

/** An authorization that was captured: the transfer of its first capture, and when that posted. */
interface Captured {
  transferId: string;
  settledAt: Date;
  transaction: Transaction;
}

/**
 * The authorizations of some cards that were captured, by their first captures, newest first. They are read along the
 * accounts' versions, the order in which funds moved.
 */
export async function listCaptured(
  { db, actor: { integratorId } }: ReadContext,
  query: Period & { cardIds: readonly string[]; before: string | undefined; rowsMax: number },
): Promise<Captured[]> {
  const { cardIds, before, rowsMax, ...period } = query;
  const which = and(
    eq(transactions.integratorId, integratorId),
    sql`${transactions.cardId} = card.id`,
    isNotNull(transactions.accountVersion),
    isNotNull(transactions.holdAmount),
    isWithin(sql`${transactions.transferId}`, period),
    before ? lt(transactions.transferId, before) : undefined,
  );
  const rows = await db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, integratorId),
        sql`${transactions.id} in (
          select newest.id from unnest(${sql.param([...cardIds])}::uuid[]) as card (id)
          cross join lateral (select ${transactions.id} as id from ${transactions} where ${which}
            order by ${transactions.accountVersion} desc limit ${rowsMax}) as newest)`,
      ),
    )
    .orderBy(desc(transactions.transferId))
    .limit(rowsMax);
  return rows.flatMap(({ transferId, settledAt, ...row }) =>
    transferId === null || settledAt === null
      ? []
      : [{ transferId, settledAt, transaction: { ...row, transferId, settledAt } }],
  );
}
