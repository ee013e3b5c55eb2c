import { requireSecondPerson } from "#lib/approvals/second-person.ts";
import type { Moving } from "#lib/approvals/second-person.ts";
import { lockCardsAndFloat } from "#lib/cards/card-lock.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import { afterEnds } from "#lib/cards/freezes.ts";
import type { Caller } from "#lib/base/context.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { toMoveRecords, toPostedMoves } from "#lib/funds/internal/funds-records.ts";
import type { PostedMove } from "#lib/funds/internal/funds-records.ts";
import { EMPTY_BATCH, findBatchIntegrator } from "#lib/group-commit/batch.ts";
import type { DecidedBatch, Result } from "#lib/group-commit/batch.ts";
import { findCardAccount, findPause, findSuspension } from "#lib/ledger/accounts.ts";
import type { LockedAccounts, IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { ALL_MAX, decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type {
  AccountChanges,
  PostRequest,
  PostResult,
  Refused,
  TransferKind,
} from "#lib/ledger/decide.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import { BALANCE_MAX, formatMoney } from "#lib/base/money.ts";
import { sandboxOnly } from "#lib/base/sandbox.ts";
import { pipeline } from "#db/pipeline.ts";
import type { Tx } from "#db/transaction.ts";

/** The integrator's float. Amounts in minor units. */
export interface Float {
  id: string;
  balance: number;
  currency: string;
  available: number;
  /** What the integrator owes for purchases that neither card nor float could pay. 0 unless the float is 0. */
  deficit: number;
  lowBalanceThreshold: number | null;
  updatedAt: Date;
}

/**
 * One request to move funds. `"all"` is everything available, for debits only. It takes as many transfers as needed, each
 * with its own transaction and event.
 */
export interface FundsRequest extends Caller {
  kind: "credit" | "debit" | "top-up";
  amount: number | "all";
  /** The affected card. Absent for a top-up of the float. */
  cardId?: string | undefined;
  narrative?: string | null | undefined;
}

/** A completed fund movement. `card` and `float` are as they were right after the request. */
export interface FundsMoved {
  card: Card | null;
  float: Float;
  /** What was moved, in minor units. */
  amount: number;
}

const TRANSFER_KINDS = {
  credit: "card_credit",
  debit: "card_debit",
  "top-up": "float_top_up",
} satisfies Record<FundsRequest["kind"], TransferKind>;

/**
 * Moves funds of one integrator between its bank, its float, and its cards: any number of requests in one transaction,
 * each with its transaction row, its events, and its entry in the audit log. A refusal does not affect the other requests.
 */
export async function moveFunds(
  tx: Tx,
  requests: readonly FundsRequest[],
): Promise<DecidedBatch<FundsMoved>> {
  const integratorId = findBatchIntegrator(requests);
  if (!integratorId) {
    return EMPTY_BATCH;
  }
  const cardIds = requests.flatMap(({ cardId }) => cardId ?? []);
  // Locks first: nothing can change the rows read after them.
  const [{ accounts, integrator }, cards] = await pipeline([
    lockCardsAndFloat(tx, integratorId, cardIds),
    findCards(tx, integratorId, cardIds),
  ]);
  const { results, moves, ...decided } = decideMoves(
    { integrator, cards, changes: unchangedAccounts(accounts) },
    requests,
  );
  await requireSecondPerson(tx, integrator, toMoving(requests, results));
  const write = () =>
    writeChanges(tx, integrator, {
      ...decided,
      ...toMoveRecords({ integrator, accounts }, moves),
    });
  return { results, write };
}

/** What each request that was not refused moves. `"all"` is fixed at its current amount, whenever it is approved. */
function toMoving(
  requests: readonly FundsRequest[],
  results: readonly Result<FundsMoved>[],
): Moving[] {
  return requests.flatMap((caller, index) => {
    const result = results[index];
    const { cardId } = caller;
    return result && "done" in result
      ? {
          caller,
          amount: result.done.amount,
          cards: cardId === undefined ? [] : [cardId],
          fixed: { amount: result.done.amount },
        }
      : [];
  });
}

/** The state that moves are decided on: the cards, and their accounts after earlier decisions. */
export interface MovingFunds {
  integrator: IntegratorAccounts;
  cards: readonly Card[];
  changes: AccountChanges;
}

/** Moves that were decided and not written. `results` are in the order of the requests. */
export interface DecidedMoves extends AccountChanges {
  results: Result<FundsMoved>[];
  moves: readonly PostedMove[];
}

/** Decides requests in order, without a query. Updates the working balances. */
export function decideMoves(
  { integrator, cards, changes }: MovingFunds,
  requests: readonly FundsRequest[],
): DecidedMoves {
  const { accounts } = changes;
  const plans = requests.map((request) => plan(integrator, accounts, request));
  const { results: posted, ...decided } = decidePostings(
    changes,
    plans.flatMap((planned) => (planned instanceof Error ? [] : [planned])),
  );
  const decisions = toDecisions({ integrator, requests, plans, posted });
  const byId = new Map(cards.map((card) => [card.id, afterEnds(card, integrator, accounts.at)]));
  const results = decisions.map((decision): Result<FundsMoved> => {
    if ("refusal" in decision) {
      return decision;
    }
    const last = decision.moves.at(-1) ?? decision.moves[0];
    return {
      done: {
        card: toCardAfter(byId, last),
        float: toFloatAfter({ integrator, accounts }, last),
        amount: decision.moves.reduce((sum, { result }) => sum + result.amount, 0),
      },
    };
  });
  const moves = decisions.flatMap((decision) => ("moves" in decision ? decision.moves : []));
  return { ...decided, results, moves };
}

interface PlannedBatch {
  integrator: IntegratorAccounts;
  requests: readonly FundsRequest[];
  /** The posting for each request, or why it is refused before its balance is checked. */
  plans: readonly (PostRequest | DomainError)[];
  /** The results of the plans that can be posted, in order. */
  posted: readonly PostResult[];
}

type Decision = { moves: readonly [PostedMove, ...PostedMove[]] } | { refusal: DomainError };

function toDecisions({ integrator, requests, plans, posted }: PlannedBatch): Decision[] {
  const results = posted.values();
  return plans.map((planned, index): Decision => {
    if (planned instanceof Error) {
      return { refusal: planned };
    }
    const result = results.next().value;
    const request = requests[index];
    if (!result || !request) {
      throw new Error("The ledger returned fewer results than requests.");
    }
    if (!result.posted) {
      return { refusal: toRefusal(integrator, request, result) };
    }
    const source = {
      ...request,
      cardId: request.cardId ?? null,
      narrative: request.narrative ?? null,
      cover: null,
    };
    return { moves: toPostedMoves(integrator, source, result) };
  });
}

function plan(
  integrator: IntegratorAccounts,
  accounts: LockedAccounts,
  request: FundsRequest,
): PostRequest | DomainError {
  // A top-up that the card processor reports is recorded even if the books have a discrepancy: the money has arrived.
  const isReported = request.actor.ref.type === "processor";
  const suspension = isReported ? findPause(integrator) : findSuspension(integrator);
  if (suspension) {
    return suspension;
  }
  const shared = {
    kind: TRANSFER_KINDS[request.kind],
    amount: request.amount,
    currency: integrator.currency,
    idempotencyKey: request.idempotencyKey ?? null,
    requestId: request.request.id,
  };
  if (request.kind === "top-up") {
    return mayTopUp(integrator, request)
      ? { ...shared, debitAccountId: integrator.bankId, creditAccountId: integrator.floatId }
      : sandboxOnly();
  }
  const card = findCardAccount(accounts, request.cardId ?? "");
  if (!card) {
    return notFound("card_not_found");
  }
  const disabledReason = cardCan[request.kind]({
    ...card,
    expired: hasPassed(integrator, card.expiresAt, accounts.at),
  });
  if (disabledReason) {
    return new DomainError(disabledReason.code, disabledReason.detail);
  }
  return request.kind === "credit"
    ? { ...shared, debitAccountId: integrator.floatId, creditAccountId: card.id }
    : { ...shared, debitAccountId: card.id, creditAccountId: integrator.floatId };
}

/** In live, only the card processor can top up the float. */
function mayTopUp({ environment }: IntegratorAccounts, { actor }: FundsRequest): boolean {
  return environment === "sandbox" || actor.ref.type === "processor";
}

function toRefusal(
  integrator: IntegratorAccounts,
  request: FundsRequest,
  refused: Refused,
): DomainError {
  const money = (amount: number) => formatMoney(amount, integrator.currency);
  if (refused.reason === "limit" || refused.reason === "too_much") {
    return toLimitRefusal(integrator, refused);
  }
  const where = request.kind === "credit" ? "The float" : "The card";
  return new DomainError(
    request.kind === "credit" ? "insufficient_float" : "insufficient_card_balance",
    request.amount === "all"
      ? `${where} has no available balance.`
      : `Needs ${money(request.amount)}, but ${where.toLowerCase()} has ${money(refused.available)} available.`,
  );
}

/** The refusal of a move that would exceed the receiving account's maximum balance, or the maximum of one request. */
export function toLimitRefusal(
  integrator: IntegratorAccounts,
  { reason, available }: Refused,
): DomainError {
  const money = (amount: number) => formatMoney(amount, integrator.currency);
  return new DomainError(
    "balance_limit_exceeded",
    reason === "too_much"
      ? `The card has ${money(available)} available, and one request can move at most ${money(ALL_MAX)}. Debit the card in parts first.`
      : `The receiving balance would exceed the maximum of ${money(BALANCE_MAX)}.`,
  );
}

function toCardAfter(cards: ReadonlyMap<string, Card>, move: PostedMove): Card | null {
  const card = cards.get(move.cardId ?? "");
  const side = move.kind === "credit" ? move.result.credit : move.result.debit;
  return card && side
    ? {
        ...card,
        balance: side.balanceAfter,
        available: side.balanceAfter - card.held,
        updatedAt: move.result.postedAt,
      }
    : null;
}

function toFloatAfter(
  { integrator, accounts }: { integrator: IntegratorAccounts; accounts: LockedAccounts },
  move: PostedMove,
): Float {
  const held = accounts.byId.get(integrator.floatId)?.held ?? 0;
  return {
    id: integrator.floatId,
    balance: move.floatAfter,
    currency: integrator.currency,
    available: move.floatAfter - held,
    deficit: -(move.repaid.at(-1)?.credit?.balanceAfter ?? 0),
    lowBalanceThreshold: integrator.lowBalanceThreshold,
    updatedAt: move.result.postedAt,
  };
}
