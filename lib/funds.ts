import type { TenantActor } from "#lib/actor.ts";
import { findBatchOwner, NOTHING_DECIDED } from "#lib/batch.ts";
import type { DecidedBatch } from "#lib/batch.ts";
import { cardCan } from "#lib/card-state.ts";
import type { Card } from "#lib/card-resource.ts";
import { findCards } from "#lib/card-reads.ts";
import type { RequestOrigin, WriteContext } from "#lib/context.ts";
import { DomainError, notFound } from "#lib/errors.ts";
import { recordMoves, writeMoves } from "#lib/funds-records.ts";
import type { PostedMove } from "#lib/funds-records.ts";
import { lockCardsAndFloat, readTenant } from "#lib/ledger/accounts.ts";
import type { LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";
import { decideAll, post } from "#lib/ledger/post.ts";
import type {
  Decided,
  Posted,
  PostRequest,
  PostResult,
  Refused,
  TransferKind,
} from "#lib/ledger/post.ts";
import { formatMoney } from "#lib/money.ts";
import { together } from "#db/together.ts";
import type { Tx } from "#db/transaction.ts";

/** The integrator's float. Amounts in minor units. */
export interface Float {
  id: string;
  balance: number;
  currency: string;
  available: number;
  lowBalanceThreshold: number | null;
  updatedAt: Date;
}

/** One request to move funds. `"all"` is everything available, for a debit only. */
export interface FundsRequest {
  kind: "credit" | "debit" | "top-up";
  actor: TenantActor;
  request: RequestOrigin;
  amount: number | "all";
  /** The card concerned; absent for a top-up of the float. */
  cardId?: string | undefined;
  narrative?: string | null | undefined;
  idempotencyKey: string | null;
}

/** What became of it; `card` and `float` stand as they were right after this very move. */
export type FundsResult =
  | { posted: true; card: Card | null; float: Float }
  | { posted: false; error: DomainError };

const TRANSFER_KINDS = {
  credit: "card_credit",
  debit: "card_debit",
  "top-up": "float_top_up",
} satisfies Record<FundsRequest["kind"], TransferKind>;

/**
 * Moves funds of one integrator between its bank, its float and its cards, any number of requests in one transaction,
 * each together with its transaction row, its events and its audit row. Results come in the order of the requests, and
 * one request's refusal leaves the others untouched.
 */
export async function moveFunds(tx: Tx, requests: readonly FundsRequest[]): Promise<FundsResult[]> {
  const { results, write } = await decideFunds(tx, requests);
  await write();
  return results;
}

/**
 * The first half of `moveFunds`: locks, reads and decides. What is `results` becomes so with `write`, which must follow in
 * the same transaction; what else is to be written can go to the database along with it.
 */
export async function decideFunds(
  tx: Tx,
  requests: readonly FundsRequest[],
): Promise<DecidedBatch<FundsResult>> {
  const integratorId = findBatchOwner(requests);
  if (!integratorId) {
    return NOTHING_DECIDED;
  }
  const cardIds = requests.flatMap(({ cardId }) => cardId ?? []);
  // The locks first: what is read after them nobody changes meanwhile.
  const [accounts, tenant, cards] = await together([
    lockCardsAndFloat(tx, integratorId, cardIds),
    readTenant(tx, integratorId),
    findCards(tx, integratorId, cardIds),
  ]);
  const plans = requests.map((request) => plan(tenant, accounts, request));
  const decided = decideAll(
    accounts,
    plans.flatMap((planned) => (planned instanceof Error ? [] : [planned])),
  );
  const outcomes = toOutcomes({ tenant, requests, plans, decided });
  const moves = outcomes.flatMap((outcome) => ("move" in outcome ? [outcome.move] : []));
  const byId = new Map(cards.map((card) => [card.id, card]));
  const results = outcomes.map((outcome): FundsResult =>
    "error" in outcome
      ? { posted: false, error: outcome.error }
      : {
          posted: true,
          card: toCardAfter(byId, outcome.move),
          float: toFloatAfter({ tenant, accounts }, outcome.move),
        },
  );
  return { results, write: () => writeMoves(tx, tenant, { decided, moves }) };
}

/** Moves everything available on a card that is about to close to the float; of nothing, nothing. */
export async function sweepCard(
  ctx: WriteContext,
  sweep: { tenant: Tenant; accounts: LockedAccounts; cardId: string },
): Promise<void> {
  const { tenant, accounts, cardId } = sweep;
  const [result] = await post(ctx.tx, accounts, [toSweep(ctx, tenant, cardId)]);
  await recordSweep(ctx, { tenant, cardId, result });
}

/** Everything available on a card to the float, to be posted where the float is locked too. */
export function toSweep(ctx: WriteContext, tenant: Tenant, cardId: string): PostRequest {
  return {
    kind: "card_sweep",
    debitAccountId: cardId,
    creditAccountId: tenant.floatId,
    amount: "all",
    currency: tenant.currency,
    idempotencyKey: null,
    requestId: ctx.request.id,
  };
}

/** Writes down what a sweep moved; one that found nothing leaves no trace. */
export async function recordSweep(
  ctx: WriteContext,
  sweep: { tenant: Tenant; cardId: string; result: PostResult | undefined },
): Promise<void> {
  const { tenant, cardId, result } = sweep;
  if (!result?.posted) {
    return;
  }
  if (tenant.booksUnbalanced) {
    throw booksUnbalanced();
  }
  await recordMoves(ctx.tx, tenant, [
    {
      kind: "debit",
      actor: ctx.actor,
      request: ctx.request,
      cardId,
      narrative: null,
      result,
      floatAfter: result.credit?.balanceAfter ?? 0,
    },
  ]);
}

interface Batch {
  tenant: Tenant;
  requests: readonly FundsRequest[];
  /** What to post for each request, or why it is refused before its money is looked at. */
  plans: readonly (PostRequest | DomainError)[];
  /** Of the plans that can be posted, in their order. */
  decided: Decided;
}

type Outcome = { move: PostedMove } | { error: DomainError };

function toOutcomes({ tenant, requests, plans, decided }: Batch): Outcome[] {
  const results = decided.results.values();
  return plans.map((planned, index): Outcome => {
    if (planned instanceof Error) {
      return { error: planned };
    }
    const result = results.next().value;
    const request = requests[index];
    if (!result || !request) {
      throw new Error("The ledger answered fewer requests than it was asked.");
    }
    return result.posted
      ? { move: toPostedMove(tenant, request, result) }
      : { error: toRefusal(tenant, request, result) };
  });
}

function plan(
  tenant: Tenant,
  accounts: LockedAccounts,
  request: FundsRequest,
): PostRequest | DomainError {
  if (tenant.booksUnbalanced) {
    return booksUnbalanced();
  }
  const shared = {
    kind: TRANSFER_KINDS[request.kind],
    amount: request.amount,
    currency: tenant.currency,
    idempotencyKey: request.idempotencyKey,
    requestId: request.request.id,
  };
  if (request.kind === "top-up") {
    return { ...shared, debitAccountId: tenant.bankId, creditAccountId: tenant.floatId };
  }
  const card = accounts.byId.get(request.cardId ?? "");
  if (!card || card.status === null) {
    return notFound("card_not_found");
  }
  const obstacle = cardCan[request.kind]({ ...card, status: card.status });
  if (obstacle) {
    return new DomainError(obstacle.code, obstacle.detail);
  }
  return request.kind === "credit"
    ? { ...shared, debitAccountId: tenant.floatId, creditAccountId: card.id }
    : { ...shared, debitAccountId: card.id, creditAccountId: tenant.floatId };
}

function toPostedMove(tenant: Tenant, request: FundsRequest, result: Posted): PostedMove {
  const float = request.kind === "credit" ? result.debit : result.credit;
  if (!float) {
    throw new Error(
      `A ${request.kind} of integrator ${tenant.integratorId} did not move its float.`,
    );
  }
  return {
    kind: request.kind,
    actor: request.actor,
    request: request.request,
    cardId: request.cardId ?? null,
    narrative: request.narrative ?? null,
    result,
    floatAfter: float.balanceAfter,
  };
}

function toRefusal(tenant: Tenant, request: FundsRequest, refused: Refused): DomainError {
  const money = (amount: number) => formatMoney(amount, tenant.currency);
  if (refused.reason === "limit") {
    return new DomainError(
      "balance_limit_exceeded",
      "The balance would exceed the largest amount kept.",
    );
  }
  const asked = request.amount === "all" ? "everything" : money(request.amount);
  const where = request.kind === "credit" ? "The float" : "The card";
  return new DomainError(
    request.kind === "credit" ? "insufficient_float" : "insufficient_card_balance",
    `${where} has ${money(refused.available)} (${refused.available}) available; ${asked}${
      request.amount === "all" ? "" : ` (${request.amount})`
    } was asked for.`,
  );
}

/** The refusal of everything that moves money while the books of its integrator are in doubt. */
export function booksUnbalanced(): DomainError {
  return new DomainError(
    "books_unbalanced",
    "The books of this account did not balance at their last check; funds do not move until that is settled.",
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
  { tenant, accounts }: { tenant: Tenant; accounts: LockedAccounts },
  move: PostedMove,
): Float {
  const held = accounts.byId.get(tenant.floatId)?.held ?? 0;
  return {
    id: tenant.floatId,
    balance: move.floatAfter,
    currency: tenant.currency,
    available: move.floatAfter - held,
    lowBalanceThreshold: tenant.lowBalanceThreshold,
    updatedAt: move.result.postedAt,
  };
}
