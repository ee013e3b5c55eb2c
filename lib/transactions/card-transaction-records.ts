import { and, eq, sql } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import type { Decline } from "#lib/transactions/decline-rules.ts";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft, EventName } from "#lib/record/events.ts";
import type { Moment } from "#lib/base/ids.ts";
import type { Side } from "#lib/ledger/decide.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { post } from "#lib/ledger/post.ts";
import type { AccountChanges, Posted } from "#lib/ledger/post.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { transactions } from "#db/schema/cards.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

export type Merchant = NonNullable<Transaction["merchant"]>;

/** The merchant's description of a purchase. `narrative` is stored as sent. */
export interface PurchaseDescription {
  narrative: string | null;
  merchant: Merchant | null;
}

/** A row with every column set, including those that the database would default. */
export type TransactionRow = typeof transactions.$inferSelect;

/** Columns of an existing row to set, under the lock of its card. */
export interface TransactionUpdate {
  id: string;
  set: Partial<TransactionRow>;
}

/** What one change of an integrator's accounts writes. Its events number on from those of the accounts. */
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
  await pipeline([
    post(tx, changes, countEvents(drafts)),
    insertTransactions(tx, integratorId, rows),
    ...updates.map((update) => updateTransaction(tx, integratorId, update)),
    recordEvents(tx, integrator, { subjects: accounts, drafts }),
    insertAudit(tx, accounts, changes.audit ?? []),
  ]);
}

/** The column values of a row for everything that has not happened. */
export const EMPTY_TRANSACTION = {
  transferId: null,
  accountVersion: null,
  narrative: null,
  merchant: null,
  declineReason: null,
  declineExplanation: null,
  authorizationId: null,
  refundOf: null,
  refunded: 0,
  holdAmount: null,
  holdCaptured: null,
  holdReleased: null,
  holdExpiresAt: null,
  settledAt: null,
} satisfies Partial<TransactionRow>;

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

/**
 * The columns that say where and when a new row of a card originates. Its id encodes the same moment, so lists can find it
 * by time.
 */
export function toRowOrigin(
  ctx: Pick<WriteContext, "actor" | "request">,
  card: { id: string; currency: string },
  { at, newId }: Moment,
) {
  return {
    integratorId: ctx.actor.integratorId,
    id: newId(),
    cardId: card.id,
    currency: card.currency,
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
    createdAt: at,
  } satisfies Partial<TransactionRow>;
}

/** The balance columns of a row that moves no money. */
export function unchangedBalances(balance: number) {
  return { cardBalanceBefore: balance, cardBalanceAfter: balance };
}

export function toDeclined(decline: Decline) {
  return {
    status: "declined",
    declineReason: decline.reason,
    declineExplanation: decline.explanation,
  } as const;
}

/**
 * The columns of a settled row, from the card's side of its transfer.
 * @param sign 1 when the card received the money, −1 when it paid.
 */
export function toSettled(posted: Posted, sign: 1 | -1) {
  const side: Side | null = sign === 1 ? posted.credit : posted.debit;
  if (!side) {
    throw new Error(`Transfer ${posted.transferId} did not change a card's balance.`);
  }
  return {
    status: "settled",
    amount: posted.amount,
    transferId: posted.transferId,
    accountVersion: side.version,
    cardBalanceBefore: side.balanceAfter - sign * posted.amount,
    cardBalanceAfter: side.balanceAfter,
    settledAt: posted.postedAt,
  } as const;
}

/** How much an authorization still holds, in minor units; 0 for any other transaction. */
export function toOpenHold({
  holdAmount,
  holdCaptured,
  holdReleased,
}: Pick<Transaction, "holdAmount" | "holdCaptured" | "holdReleased">): number {
  return (holdAmount ?? 0) - (holdCaptured ?? 0) - (holdReleased ?? 0);
}

/**
 * The event of a card transaction. Its `amount` and `status` describe what just happened. When a hold is partly released,
 * they differ from the transaction's own.
 */
export function toTransactionEvent(
  ctx: Pick<WriteContext, "actor" | "request">,
  event: Extract<EventName, `card.${"" | "reverse-"}transaction${"" | "-declined"}`>,
  happened: {
    transaction: Transaction;
    amount?: number;
    status?: Transaction["status"];
    transferId?: string;
    /** The card's balance, when it differs from the row's. */
    balance?: number;
    /** What the authorization still holds, when the event is of another row. */
    holdRemaining?: number;
  },
): EventDraft {
  const { transaction, transferId } = happened;
  return {
    event,
    subject: { type: "card", id: transaction.cardId },
    actor: ctx.actor.ref,
    requestId: ctx.request.id,
    ...(transferId ? { transferId } : {}),
    data: {
      amount: happened.amount ?? transaction.amount,
      card_id: transaction.cardId,
      currency: transaction.currency,
      reference: transaction.id,
      status: happened.status ?? transaction.status,
      narrative: transaction.narrative,
      merchant: transaction.merchant,
      card_balance_after: happened.balance ?? transaction.cardBalanceAfter,
      authorization_id: transaction.authorizationId,
      refund_of: transaction.refundOf,
      hold_remaining: happened.holdRemaining ?? toOpenHold(transaction),
      ...(event === "card.transaction-declined"
        ? {
            decline_reason: transaction.declineReason,
            decline_explanation: transaction.declineExplanation,
          }
        : {}),
    },
  };
}
