import { and, asc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import type { CoverReturn } from "#lib/funds/cover.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { TransactionUpdate } from "#lib/transactions/write-changes.ts";
import { transactions } from "#db/schema/transactions.ts";
import { pipeline } from "#db/pipeline.ts";

/** The members of a refund that its purchases need. Amounts in minor units. */
type Refund = Pick<Transaction, "id" | "refundOf" | "authorizationId" | "amount" | "takenBack">;

/** All purchases of one authorization, or one purchase without an authorization, and their refunds. */
export interface PurchaseSet {
  /** Settled. The authorization's own row first, then the further captures, oldest first. */
  purchases: readonly Transaction[];
  refunds: readonly Refund[];
}

/**
 * The purchases of an authorization, and their refunds. The caller must have locked their card.
 * @param id the authorization's, or that of a purchase without one.
 */
export async function readPurchaseSet(
  { tx, actor: { integratorId } }: WriteContext,
  id: string,
): Promise<PurchaseSet> {
  // Two statements: with an `or`, PostgreSQL reads all transactions of the integrator.
  const select = (condition: SQL) =>
    tx
      .select()
      .from(transactions)
      .where(and(eq(transactions.integratorId, integratorId), condition))
      .orderBy(asc(transactions.id));
  const members = await pipeline([
    select(eq(transactions.id, id)),
    select(eq(transactions.authorizationId, id)),
  ]);
  const purchases = members.flat().filter(isSettledPurchase);
  const refunds =
    purchases.length === 0
      ? []
      : await tx
          .select()
          .from(transactions)
          .where(
            and(
              eq(transactions.integratorId, integratorId),
              isAnyOf(transactions.refundOf, purchases),
            ),
          );
  return { purchases, refunds };
}

/** The id of the set that a purchase belongs to. */
export function toSetId({ id, authorizationId }: Transaction): string {
  return authorizationId ?? id;
}

/** Whether a transaction is a purchase that was paid, and not one that takes back a refund. */
export function isSettledPurchase({ postedAs }: Transaction): boolean {
  return postedAs !== null;
}

/** How much of a purchase can still be refunded, in minor units. Zero if it was taken back. */
export function toRefundable({ amount, refunded, takenBack }: Transaction): number {
  return takenBack > 0 ? 0 : amount - refunded;
}

/**
 * Corrects `refunded` where it does not match the refunds. A refund that names a purchase counts for that purchase. A
 * refund that names the authorization is spread over the purchases in order, those that were taken back last.
 */
export function toRefundedUpdates({ purchases, refunds }: PurchaseSet): TransactionUpdate[] {
  let spread = sumNet(refunds.filter(({ authorizationId }) => authorizationId !== null));
  return purchases
    .toSorted((one, other) => one.takenBack - other.takenBack)
    .flatMap((purchase) => {
      const named = refunds.filter(
        ({ authorizationId, refundOf }) => authorizationId === null && refundOf === purchase.id,
      );
      const alone = Math.min(purchase.amount, sumNet(named));
      const share = Math.min(purchase.amount - alone, spread);
      spread -= share;
      const refunded = alone + share;
      return refunded === purchase.refunded ? [] : [{ id: purchase.id, set: { refunded } }];
    });
}

function sumNet(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount, takenBack }) => sum + amount - takenBack, 0);
}

/**
 * Decides which covers to give back, up to an amount in minor units: first those of the purchases, then those that paid
 * to take back a refund, because they cover its purchase again. Each oldest first.
 */
export async function decideCoverReturns(
  { tx, actor: { integratorId } }: WriteContext,
  { purchases, refunds }: PurchaseSet,
  amount: number,
): Promise<CoverReturn[]> {
  const covered = purchases.filter(({ coveredFloat }) => coveredFloat !== null);
  const takenBack = refunds.filter((refund) => refund.takenBack > 0);
  if (amount === 0 || covered.length + takenBack.length === 0) {
    return [];
  }
  const select = (condition: SQL) =>
    tx
      .select({
        id: transactions.id,
        left: sql<number>`(covered_float + covered_deficit - coalesce((
          select sum(d.amount) from transactions d
          where d.integrator_id = ${integratorId} and d.cover_of = transactions.id and d.type = 'debit'
        ), 0))::float8`,
      })
      .from(transactions)
      .where(
        and(eq(transactions.integratorId, integratorId), condition, sql`covered_float is not null`),
      )
      .orderBy(asc(transactions.id));
  const rows = await pipeline([
    select(isAnyOf(transactions.id, covered)),
    select(isAnyOf(transactions.takesBack, takenBack)),
  ]);
  let rest = amount;
  return rows.flat().flatMap(({ id, left }) => {
    const back = Math.min(left, rest);
    rest -= back;
    return back > 0 ? [{ of: id, amount: back }] : [];
  });
}

function isAnyOf(
  column: typeof transactions.id | typeof transactions.refundOf | typeof transactions.takesBack,
  rows: readonly { id: string }[],
) {
  return sql`${column} = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`;
}
