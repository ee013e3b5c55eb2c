import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ReadContext } from "#lib/base/context.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/transactions.ts";
import { entries, transfers } from "#db/schema/ledger.ts";

/** An account that has statements. A card's account has the card's id. */
export interface StatedAccount {
  id: string;
  kind: "float" | "card";
  currency: string;
}

/** An entry of a float or a card, explained. Amounts in minor units. */
export interface AccountLine {
  transferId: string;
  kind: TransferKind;
  /** Signed: positive for funds into the account. */
  amount: number;
  currency: string;
  balanceAfter: number | null;
  /** Numbers the account's entries from 1 without a gap. */
  version: number | null;
  /** The account on the other side. */
  otherId: string;
  /** The card's transaction that the entry belongs to. Null for a movement between the float and no card. */
  transactionId: string | null;
  narrative: string | null;
  merchant: Transaction["merchant"];
  /** When it happened, by the network's clock; null if the network did not report it. */
  occurredAt: Date | null;
  requestId: string;
  /** When it posted. */
  createdAt: Date;
}

/**
 * Selects entries of an account with their explanations. Each line has the transaction of its card, which is the
 * account itself or the other side. The limits are fences for the planner: without statistics, it would join all rows
 * of the tables.
 * @param matched a query for the ids of their transfers.
 */
export function selectAccountLines(
  ctx: ReadContext,
  { account, matched, order }: { account: StatedAccount; matched: SQL; order: "newest" | "oldest" },
): Promise<AccountLine[]> {
  const { integratorId } = ctx.actor;
  const isMatched = sql`${entries.transferId} = matched.id`;
  const line = ctx.db
    .select()
    .from(entries)
    .where(
      and(eq(entries.integratorId, integratorId), isMatched, eq(entries.accountId, account.id)),
    )
    .limit(1)
    .as("line");
  const transfer = ctx.db
    .select({
      kind: transfers.kind,
      requestId: transfers.requestId,
      createdAt: transfers.createdAt,
    })
    .from(transfers)
    .where(and(eq(transfers.integratorId, integratorId), sql`${transfers.id} = matched.id`))
    .limit(1)
    .as("transfer");
  const other = ctx.db
    .select({ accountId: entries.accountId, accountVersion: entries.accountVersion })
    .from(entries)
    .where(
      and(eq(entries.integratorId, integratorId), isMatched, ne(entries.accountId, account.id)),
    )
    .limit(1)
    .as("other");
  const transaction = selectTransaction(ctx, account.kind === "card" ? line : other);
  return ctx.db
    .select({
      transferId: line.transferId,
      kind: transfer.kind,
      amount: line.amount,
      currency: line.currency,
      balanceAfter: line.balanceAfter,
      version: line.accountVersion,
      otherId: other.accountId,
      transactionId: transaction.id,
      narrative: transaction.narrative,
      merchant: transaction.merchant,
      occurredAt: transaction.occurredAt,
      requestId: transfer.requestId,
      createdAt: transfer.createdAt,
    })
    .from(sql`(${matched}) as matched`)
    .crossJoinLateral(line)
    .crossJoinLateral(transfer)
    .crossJoinLateral(other)
    .leftJoinLateral(transaction, sql`true`)
    .orderBy((order === "newest" ? desc : asc)(line.accountVersion));
}

/** The transaction of a card's entry. */
function selectTransaction(
  { db, actor }: ReadContext,
  entry: Record<"accountId" | "accountVersion", AnyPgColumn>,
) {
  return db
    .select({
      id: transactions.id,
      narrative: transactions.narrative,
      merchant: transactions.merchant,
      occurredAt: transactions.occurredAt,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, actor.integratorId),
        eq(transactions.cardId, entry.accountId),
        eq(transactions.accountVersion, entry.accountVersion),
      ),
    )
    .limit(1)
    .as("transaction");
}
