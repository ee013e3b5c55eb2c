import { and, eq, sql } from "drizzle-orm";
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
  const column = <T>(read: (row: TransactionRow) => T) => sql.param(rows.map(read));
  await tx.execute(sql`
    insert into transactions (integrator_id, id, card_id, transfer_id, type, status, amount, currency, account_version,
      card_balance_before, card_balance_after, narrative, merchant, decline_reason, decline_explanation,
      authorization_id, refund_of, refunded, hold_amount, hold_captured, hold_released, hold_expires_at, actor,
      request_id, created_at, settled_at)
    select ${integratorId}::uuid, row.id, row.card_id, row.transfer_id, row.type, row.status, row.amount, row.currency,
      row.account_version, row.before, row.after, row.narrative, row.merchant::jsonb, row.decline_reason,
      row.decline_explanation, row.authorization_id, row.refund_of, row.refunded, row.hold_amount, row.hold_captured,
      row.hold_released, to_timestamp(row.hold_expires_at / 1000), row.actor::jsonb, row.request_id,
      to_timestamp(row.created_at / 1000), to_timestamp(row.settled_at / 1000)
    from unnest(
      ${column((row) => row.id)}::uuid[],
      ${column((row) => row.cardId)}::uuid[],
      ${column((row) => row.transferId)}::uuid[],
      ${column((row) => row.type)}::text[],
      ${column((row) => row.status)}::text[],
      ${column((row) => row.amount)}::bigint[],
      ${column((row) => row.currency)}::text[],
      ${column((row) => row.accountVersion)}::bigint[],
      ${column((row) => row.cardBalanceBefore)}::bigint[],
      ${column((row) => row.cardBalanceAfter)}::bigint[],
      ${column((row) => row.narrative)}::text[],
      ${column((row) => row.merchant && JSON.stringify(row.merchant))}::text[],
      ${column((row) => row.declineReason)}::text[],
      ${column((row) => row.declineExplanation)}::text[],
      ${column((row) => row.authorizationId)}::uuid[],
      ${column((row) => row.refundOf)}::uuid[],
      ${column((row) => row.refunded)}::bigint[],
      ${column((row) => row.holdAmount)}::bigint[],
      ${column((row) => row.holdCaptured)}::bigint[],
      ${column((row) => row.holdReleased)}::bigint[],
      ${column((row) => row.holdExpiresAt?.getTime() ?? null)}::float8[],
      ${column((row) => JSON.stringify(row.actor))}::text[],
      ${column((row) => row.requestId)}::text[],
      ${column((row) => row.createdAt.getTime())}::float8[],
      ${column((row) => row.settledAt?.getTime() ?? null)}::float8[]
    ) as row (id, card_id, transfer_id, type, status, amount, currency, account_version, before, after, narrative,
      merchant, decline_reason, decline_explanation, authorization_id, refund_of, refunded, hold_amount, hold_captured,
      hold_released, hold_expires_at, actor, request_id, created_at, settled_at)`);
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
