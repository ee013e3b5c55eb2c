import type { TenantActor } from "#lib/base/actor.ts";
import { insertAudit } from "#lib/record/audit.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import {
  insertTransactions,
  EMPTY_TRANSACTION,
  toRowOrigin,
} from "#lib/transactions/card-transaction-records.ts";
import type { WholeTransaction } from "#lib/transactions/card-transaction-records.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { insertEvents, numberEvents, recordEvents } from "#lib/record/events.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";
import { writeDecided } from "#lib/ledger/post.ts";
import type { Decided, Posted } from "#lib/ledger/post.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** One transfer of funds that the ledger has posted and that is still to be written down. Amounts in minor units. */
export interface PostedMove {
  kind: "credit" | "debit" | "top-up";
  actor: TenantActor;
  request: RequestOrigin;
  cardId: string | null;
  narrative: string | null;
  result: Posted;
  floatAfter: number;
}

/** What a transfer of the ledger means to the card and the float. */
export function toPostedMove(
  tenant: Tenant,
  source: Pick<PostedMove, "kind" | "actor" | "request" | "cardId" | "narrative">,
  result: Posted,
): PostedMove {
  const { kind, actor, request, cardId, narrative } = source;
  const float = kind === "credit" ? result.debit : result.credit;
  if (!float) {
    throw new Error(`A ${kind} of integrator ${tenant.integratorId} did not move its float.`);
  }
  return { kind, actor, request, cardId, narrative, result, floatAfter: float.balanceAfter };
}

interface RecordedMove extends PostedMove {
  /** The transaction's id where a card is concerned, otherwise the transfer's: what integrators call its reference. */
  reference: string;
}

/** Writes the transaction rows, events and audit rows of moves that the ledger has written already, each set-wise. */
export async function recordMoves(
  tx: Tx,
  { tenant, accounts }: Place,
  moves: readonly PostedMove[],
): Promise<void> {
  const { rows, drafts, audit } = toRecords({ tenant, accounts }, moves);
  await pipeline([
    insertTransactions(tx, tenant.integratorId, rows),
    recordEvents(tx, tenant, drafts),
    insertAudit(tx, accounts, audit),
  ]);
}

/** Writes moves that the ledger has decided, and all that tells of them, in one go to the database. */
export async function writeMoves(
  tx: Tx,
  tenant: Tenant,
  { decided, moves }: { decided: Decided; moves: readonly PostedMove[] },
): Promise<void> {
  const { accounts } = decided;
  const { rows, drafts, audit } = toRecords({ tenant, accounts }, moves);
  const events = numberEvents(tenant, accounts, drafts);
  await pipeline([
    writeDecided(tx, decided, events.counts),
    insertTransactions(tx, tenant.integratorId, rows),
    insertEvents(tx, tenant, events.rows),
    insertAudit(tx, accounts, audit),
  ]);
}

/** Where moves were posted: the accounts as they were locked for it. */
interface Place {
  tenant: Tenant;
  accounts: LockedAccounts;
}

function toRecords({ tenant, accounts }: Place, moves: readonly PostedMove[]) {
  const recorded = moves.map((move) => ({
    ...move,
    reference: move.cardId ? accounts.newId() : move.result.transferId,
  }));
  return {
    rows: toRows({ tenant, accounts }, recorded),
    drafts: recorded.flatMap((move) => [
      toMoveEvent(tenant, move),
      ...toThresholdEvents(tenant, move),
    ]),
    audit: recorded.map((move) => toAuditRow(tenant, move)),
  };
}

function toAuditRow(tenant: Tenant, move: RecordedMove): AuditRow {
  return {
    actor: move.actor.ref,
    request: move.request,
    action: MOVE_EVENTS[move.kind],
    targetType: move.cardId ? "card" : "float",
    targetId: move.cardId ?? tenant.floatId,
    before: null,
    after: { amount: move.result.amount, reference: move.reference },
  };
}

const MOVE_EVENTS = {
  credit: "card.credited",
  debit: "card.debited",
  "top-up": "float.topped-up",
} as const;

/** The card's side of each move that has one. */
function toRows({ tenant, accounts }: Place, moves: readonly RecordedMove[]): WholeTransaction[] {
  return moves.flatMap((move) => {
    const { cardId, kind, result } = move;
    const side = toCardSide(move);
    if (!cardId || !side || kind === "top-up") {
      return [];
    }
    return [
      {
        ...EMPTY_TRANSACTION,
        ...toRowOrigin(move, { id: cardId, currency: tenant.currency }, accounts),
        id: move.reference,
        type: kind,
        status: "settled" as const,
        amount: result.amount,
        transferId: result.transferId,
        accountVersion: side.version,
        cardBalanceBefore: side.balanceBefore,
        cardBalanceAfter: side.balanceAfter,
        narrative: move.narrative,
        settledAt: result.postedAt,
      },
    ];
  });
}

function toCardSide({ kind, result }: PostedMove) {
  const side = kind === "credit" ? result.credit : result.debit;
  const sign = kind === "credit" ? 1 : -1;
  return side && { ...side, balanceBefore: side.balanceAfter - sign * result.amount };
}

function toMoveEvent(tenant: Tenant, move: RecordedMove): EventDraft {
  const { amount, transferId } = move.result;
  const shared = { actor: move.actor.ref, requestId: move.request.id, transferId };
  if (!move.cardId) {
    return {
      ...shared,
      event: "float.topped-up",
      subject: { type: "float", id: tenant.floatId },
      data: { amount, balance: move.floatAfter, threshold: tenant.lowBalanceThreshold },
    };
  }
  return {
    ...shared,
    event: MOVE_EVENTS[move.kind],
    subject: { type: "card", id: move.cardId },
    data: {
      card_id: move.cardId,
      amount,
      currency: tenant.currency,
      reference: move.reference,
      card_balance_after: toCardSide(move)?.balanceAfter ?? null,
      float_balance_after: move.floatAfter,
    },
  };
}

/** One event a crossing: down when the float was at or above the threshold before this move and is below it after. */
function toThresholdEvents(tenant: Tenant, move: PostedMove): EventDraft[] {
  const threshold = tenant.lowBalanceThreshold;
  if (threshold === null) {
    return [];
  }
  const before = move.floatAfter + (move.kind === "credit" ? 1 : -1) * move.result.amount;
  const wasLow = before < threshold;
  const isLow = move.floatAfter < threshold;
  if (wasLow === isLow) {
    return [];
  }
  return [
    {
      event: isLow ? "float.low-balance" : "float.recovered",
      subject: { type: "float", id: tenant.floatId },
      actor: move.actor.ref,
      requestId: move.request.id,
      data: { balance: move.floatAfter, threshold },
    },
  ];
}
