import type { TenantActor } from "#lib/base/actor.ts";
import type { AuditRow } from "#lib/record/audit.ts";
import { EMPTY_TRANSACTION, toRowOrigin } from "#lib/transactions/card-transaction-records.ts";
import type { CoverSource } from "#lib/transactions/transaction-kinds.ts";
import { toLevelEvents } from "#lib/transactions/float-level.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import type { EventDraft } from "#lib/record/events.ts";
import type { LockedAccounts, IntegratorAccounts } from "#lib/ledger/accounts.ts";
import type { Posted, PostResult } from "#lib/ledger/decide.ts";

/** One fund movement that the ledger has posted and that is not yet recorded. Amounts in minor units. */
export interface PostedMove {
  kind: "credit" | "debit" | "top-up";
  actor: TenantActor;
  request: RequestOrigin;
  cardId: string | null;
  narrative: string | null;
  result: Posted;
  floatBefore: number;
  /** After the float has repaid what it could of its deficit. */
  floatAfter: number;
  /** The transfers of that repayment. */
  repaid: readonly Posted[];
  /**
   * The purchase whose overdraft a credit covers or a debit returns, and the source that pays. Null for any other move.
   */
  cover: Cover | null;
}

export interface Cover {
  of: string;
  source: CoverSource;
}

type MoveSource = Pick<PostedMove, "kind" | "actor" | "request" | "cardId" | "narrative" | "cover">;

/** Describes what the ledger posted for one request from the point of view of the card and the float. */
export function toPostedMoves(
  integrator: IntegratorAccounts,
  source: MoveSource,
  { transfers, repaid }: Extract<PostResult, { posted: true }>,
): [PostedMove, ...PostedMove[]] {
  const [first, ...others] = transfers;
  const toMove = (transfer: Posted) =>
    toPostedMove(integrator, source, {
      transfer,
      repaid: transfer === transfers.at(-1) ? repaid : [],
    });
  return [toMove(first), ...others.map(toMove)];
}

function toPostedMove(
  integrator: IntegratorAccounts,
  { kind, actor, request, cardId, narrative, cover }: MoveSource,
  { transfer: result, repaid }: { transfer: Posted; repaid: readonly Posted[] },
): PostedMove {
  const source = kind === "credit" ? result.debit : result.credit;
  if (!source) {
    throw new Error(`A ${kind} of integrator ${integrator.integratorId} did not change its float.`);
  }
  const move = { kind, actor, request, cardId, narrative, cover, result, repaid };
  if (cover?.source === "deficit") {
    // Only an empty float has a deficit.
    return { ...move, floatBefore: 0, floatAfter: 0 };
  }
  return {
    ...move,
    floatBefore: source.balanceAfter + (kind === "credit" ? result.amount : -result.amount),
    floatAfter: repaid.at(-1)?.debit?.balanceAfter ?? source.balanceAfter,
  };
}

interface RecordedMove extends PostedMove {
  /** The transaction's id if there is a card, otherwise the transfer's id. Integrators know it as the reference. */
  reference: string;
}

/** The accounts of a posting, as they were locked for it. */
interface PostingAccounts {
  integrator: IntegratorAccounts;
  accounts: LockedAccounts;
}

/** What is written with moves: their transaction rows, events, and audit rows. */
export function toMoveRecords(
  { integrator, accounts }: PostingAccounts,
  moves: readonly PostedMove[],
): Required<Pick<Changes, "transactions" | "events" | "audit">> {
  const recorded = moves.map((move) => ({
    ...move,
    reference: move.cardId ? accounts.newId() : move.result.transferId,
  }));
  return {
    transactions: toRows({ integrator, accounts }, recorded),
    events: recorded.flatMap((move) => [
      toMoveEvent(integrator, move),
      ...toDeficitEvents(integrator, move),
      ...toRepaidEvents(integrator, move),
      ...toThresholdEvents(integrator, move),
    ]),
    // An API key's move has no audit row: its transaction says the same, and the audit log lists it.
    audit: recorded.filter((move) => !isByKey(move)).map((move) => toAuditRow(integrator, move)),
  };
}

/** Whether a card's funds are moved by an API key. A top-up of the float has no transaction. */
function isByKey({ actor, cardId }: PostedMove): boolean {
  return actor.ref.type === "api_key" && cardId !== null;
}

function toAuditRow(integrator: IntegratorAccounts, move: RecordedMove): AuditRow {
  return {
    actor: move.actor.ref,
    request: move.request,
    action: MOVE_EVENTS[move.kind],
    targetType: move.cardId ? "card" : "float",
    targetId: move.cardId ?? integrator.floatId,
    before: null,
    after: {
      amount: move.result.amount,
      reference: move.reference,
      ...(move.cover ? { cover_of: move.cover.of } : {}),
    },
  };
}

const MOVE_EVENTS = {
  credit: "card.credited",
  debit: "card.debited",
  "top-up": "float.topped-up",
} as const;

/** The transaction row of each move that has a card. */
function toRows(
  { integrator, accounts }: PostingAccounts,
  moves: readonly RecordedMove[],
): TransactionRow[] {
  return moves.flatMap((move) => {
    const { cardId, kind, result } = move;
    const side = toCardSide(move);
    if (!cardId || !side || kind === "top-up") {
      return [];
    }
    return [
      {
        ...EMPTY_TRANSACTION,
        ...toRowOrigin(move, { id: cardId, currency: integrator.currency }, accounts),
        id: move.reference,
        type: kind,
        status: "settled" as const,
        amount: result.amount,
        transferId: result.transferId,
        accountVersion: side.version,
        cardBalanceBefore: side.balanceBefore,
        cardBalanceAfter: side.balanceAfter,
        narrative: move.narrative,
        coverOf: move.cover?.of ?? null,
        address: isByKey(move) ? move.request.address : null,
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

function toMoveEvent(integrator: IntegratorAccounts, move: RecordedMove): EventDraft {
  const { amount, transferId } = move.result;
  const shared = { actor: move.actor.ref, requestId: move.request.id, transferId };
  if (!move.cardId) {
    return {
      ...shared,
      event: "float.topped-up",
      subject: { type: "float", id: integrator.floatId },
      data: { amount, balance: move.floatAfter, threshold: integrator.lowBalanceThreshold },
    };
  }
  return {
    ...shared,
    event: MOVE_EVENTS[move.kind],
    subject: { type: "card", id: move.cardId },
    data: {
      card_id: move.cardId,
      amount,
      currency: integrator.currency,
      reference: move.reference,
      card_balance_after: toCardSide(move)?.balanceAfter ?? null,
      float_balance_after: move.floatAfter,
      ...(move.cover ? { cover_of: move.cover.of, source: move.cover.source } : {}),
    },
  };
}

/** The event of a deficit that a purchase has caused or increased. */
function toDeficitEvents(
  { floatId }: IntegratorAccounts,
  { kind, actor, request, cover, result }: PostedMove,
): EventDraft[] {
  return kind === "credit" && cover?.source === "deficit"
    ? [
        {
          event: "float.deficit",
          subject: { type: "float", id: floatId },
          actor: actor.ref,
          requestId: request.id,
          data: { amount: result.amount, deficit: -(result.debit?.balanceAfter ?? 0), balance: 0 },
        },
      ]
    : [];
}

function toRepaidEvents(
  { floatId }: IntegratorAccounts,
  { actor, request, repaid }: PostedMove,
): EventDraft[] {
  return repaid.map(({ transferId, amount, debit, credit }) => ({
    event: "float.deficit-repaid",
    subject: { type: "float", id: floatId },
    actor: actor.ref,
    requestId: request.id,
    transferId,
    data: { amount, deficit: -(credit?.balanceAfter ?? 0), balance: debit?.balanceAfter ?? null },
  }));
}

function toThresholdEvents(
  { floatId, lowBalanceThreshold: threshold }: IntegratorAccounts,
  { actor, request, floatBefore, floatAfter }: PostedMove,
): EventDraft[] {
  return toLevelEvents(floatId, {
    before: { balance: floatBefore, threshold },
    after: { balance: floatAfter, threshold },
    cause: { actor: actor.ref, requestId: request.id },
  });
}
