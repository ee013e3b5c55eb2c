import { and, eq } from "drizzle-orm";
import { transactionDeclined } from "#lib/base/signals.ts";
import { toStatusAudit, writeStatuses } from "#lib/cards/status-records.ts";
import type { ChangeBy } from "#lib/cards/status-records.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { AccountChanges } from "#lib/ledger/decide.ts";
import { toChangedUses } from "#lib/transactions/counted.ts";
import type { CountedColumns, Recount } from "#lib/transactions/counted.ts";
import { post } from "#lib/ledger/post.ts";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { countEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { transactions } from "#db/schema/transactions.ts";
import { insertRows } from "#db/insert-rows.ts";
import { toInsertColumns } from "#db/table-columns.ts";
import { pipeline } from "#db/pipeline.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Columns of an existing row to set, under the lock of its card. */
export interface TransactionUpdate {
  id: string;
  set: Partial<Omit<TransactionRow, keyof CountedColumns>>;
  /** What it counts from now on, if that changes. */
  recount?: Recount;
}

/** What one change of an integrator's accounts writes. Its events continue the accounts' sequence numbers. */
export interface Changes extends AccountChanges {
  transactions?: readonly TransactionRow[];
  updates?: readonly TransactionUpdate[];
  events?: readonly EventDraft[];
  audit?: readonly AuditRow[];
  /** Freezes that the change makes. `events` includes their events, in order. */
  freezes?: readonly ChangeBy[];
}

/** Writes a decided change with all of its records, in one pipelined round trip. */
export async function writeChanges(
  tx: Tx,
  integrator: IntegratorAccounts,
  changes: Changes,
): Promise<void> {
  const { accounts, transactions: rows = [], updates = [], events: drafts = [] } = changes;
  const { audit = [], freezes = [] } = changes;
  const { integratorId } = integrator;
  const { others = [], ofFreezes = [] } = splitEvents(drafts, freezes);
  reportDeclines(tx, rows);
  const uses = toChangedUses(accounts, rows, updates);
  await pipeline([
    post(tx, { ...changes, uses }, countEvents(others)),
    insertTransactions(tx, integratorId, rows),
    ...updates.map((update) => updateTransaction(tx, integratorId, update)),
    writeStatuses(
      tx,
      { accounts, integrator },
      { changes: freezes, events: countEvents(ofFreezes) },
    ),
    recordEvents(tx, integrator, { subjects: accounts, drafts }),
    insertAudit(tx, accounts, [...audit, ...freezes.map(toStatusAudit)]),
  ]);
}

/**
 * Splits events in two. From its freeze on, a card's events are counted with the new status, because the database
 * checks that a status changes together with its event.
 */
function splitEvents(
  drafts: readonly EventDraft[],
  freezes: readonly ChangeBy[],
): { others?: readonly EventDraft[]; ofFreezes?: readonly EventDraft[] } {
  if (freezes.length === 0) {
    return { others: drafts };
  }
  const freezing = new Set(freezes.map(({ card }) => card.id));
  const frozen = new Set<string>();
  const isOfFreeze = ({ event, subject: { id } }: EventDraft) => {
    if (event === "card.frozen" && freezing.has(id)) {
      frozen.add(id);
    }
    return frozen.has(id);
  };
  return Object.groupBy(drafts, (draft) => (isOfFreeze(draft) ? "ofFreezes" : "others"));
}

function reportDeclines(tx: Tx, rows: readonly TransactionRow[]): void {
  for (const { declineReason: reason } of rows) {
    if (reason !== null) {
      onCommit(tx, () => transactionDeclined.report({ reason }));
    }
  }
}

const COLUMNS = toInsertColumns<TransactionRow>(transactions);

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
      ...COLUMNS,
      integrator_id: ["uuid", () => integratorId],
    }),
  );
}

async function updateTransaction(
  tx: Tx,
  integratorId: string,
  { id, set, recount }: TransactionUpdate,
): Promise<void> {
  const changed = await tx
    .update(transactions)
    .set({ ...set, ...recount?.to })
    .where(and(eq(transactions.integratorId, integratorId), eq(transactions.id, id)))
    .returning({ id: transactions.id });
  if (changed.length === 0) {
    throw new Error(`Transaction ${id} does not exist.`);
  }
}
