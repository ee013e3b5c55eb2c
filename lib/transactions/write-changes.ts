import { and, eq } from "drizzle-orm";
import { transactionDeclined } from "#lib/base/signals.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { AccountChanges } from "#lib/ledger/decide.ts";
import { post } from "#lib/ledger/post.ts";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { transactions } from "#db/schema/cards.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Columns of an existing row to set, under the lock of its card. */
export interface TransactionUpdate {
  id: string;
  set: Partial<TransactionRow>;
}

/** What one change of an integrator's accounts writes. Its events continue the accounts' sequence numbers. */
export interface Changes extends AccountChanges {
  transactions?: readonly TransactionRow[];
  updates?: readonly TransactionUpdate[];
  events?: readonly EventDraft[];
  audit?: readonly AuditRow[];
}

/** Writes a decided change with all of its records, in one pipelined round trip. */
export async function writeChanges(
  tx: Tx,
  integrator: IntegratorAccounts,
  changes: Changes,
): Promise<void> {
  const { accounts, transactions: rows = [], updates = [], events: drafts = [] } = changes;
  const { integratorId } = integrator;
  reportDeclines(tx, rows);
  await pipeline([
    post(tx, changes, countEvents(drafts)),
    insertTransactions(tx, integratorId, rows),
    ...updates.map((update) => updateTransaction(tx, integratorId, update)),
    recordEvents(tx, integrator, { subjects: accounts, drafts }),
    insertAudit(tx, accounts, changes.audit ?? []),
  ]);
}

function reportDeclines(tx: Tx, rows: readonly TransactionRow[]): void {
  for (const { declineReason: reason } of rows) {
    if (reason !== null) {
      onCommit(tx, () => transactionDeclined.report({ reason }));
    }
  }
}

/** Inserts rows of one integrator in one statement, however many there are. */
async function insertTransactions(
  tx: Tx,
  integratorId: string,
  rows: readonly TransactionRow[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await tx.execute(
    insertRows("transactions", rows, {
      integrator_id: ["uuid", () => integratorId],
      id: ["uuid", (row) => row.id],
      card_id: ["uuid", (row) => row.cardId],
      transfer_id: ["uuid", (row) => row.transferId],
      type: ["text", (row) => row.type],
      status: ["text", (row) => row.status],
      amount: ["bigint", (row) => row.amount],
      requested_amount: ["bigint", (row) => row.requestedAmount],
      currency: ["text", (row) => row.currency],
      account_version: ["bigint", (row) => row.accountVersion],
      card_balance_before: ["bigint", (row) => row.cardBalanceBefore],
      card_balance_after: ["bigint", (row) => row.cardBalanceAfter],
      narrative: ["text", (row) => row.narrative],
      merchant: ["jsonb", (row) => row.merchant],
      as_received: ["jsonb", (row) => row.asReceived],
      merchant_amount: ["bigint", (row) => row.merchantAmount],
      merchant_currency: ["text", (row) => row.merchantCurrency],
      decline_reason: ["text", (row) => row.declineReason],
      decline_explanation: ["text", (row) => row.declineExplanation],
      decline_forced: ["boolean", (row) => row.declineForced],
      authorization_id: ["uuid", (row) => row.authorizationId],
      posted_as: ["text", (row) => row.postedAs],
      covered_float: ["bigint", (row) => row.coveredFloat],
      covered_deficit: ["bigint", (row) => row.coveredDeficit],
      cover_of: ["uuid", (row) => row.coverOf],
      refund_of: ["uuid", (row) => row.refundOf],
      refunded: ["bigint", (row) => row.refunded],
      refund_exceeds: ["boolean", (row) => row.refundExceeds],
      hold_amount: ["bigint", (row) => row.holdAmount],
      hold_captured: ["bigint", (row) => row.holdCaptured],
      hold_released: ["bigint", (row) => row.holdReleased],
      hold_expires_at: ["timestamptz", (row) => row.holdExpiresAt],
      actor: ["jsonb", (row) => row.actor],
      request_id: ["text", (row) => row.requestId],
      address: ["text", (row) => row.address],
      created_at: ["timestamptz", (row) => row.createdAt],
      settled_at: ["timestamptz", (row) => row.settledAt],
    }),
  );
}

async function updateTransaction(
  tx: Tx,
  integratorId: string,
  { id, set }: TransactionUpdate,
): Promise<void> {
  const changed = await tx
    .update(transactions)
    .set(set)
    .where(and(eq(transactions.integratorId, integratorId), eq(transactions.id, id)))
    .returning({ id: transactions.id });
  if (changed.length === 0) {
    throw new Error(`Transaction ${id} does not exist.`);
  }
}
