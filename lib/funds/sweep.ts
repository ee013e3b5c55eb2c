import type { WriteContext } from "#lib/base/context.ts";
import { toLimitRefusal } from "#lib/funds/funds.ts";
import { booksUnbalanced } from "#lib/ledger/books-unbalanced.ts";
import { recordMoves, toPostedMove } from "#lib/funds/funds-records.ts";
import type { LockedAccounts, IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { post } from "#lib/ledger/post.ts";
import type { Posted, PostRequest, PostResult } from "#lib/ledger/post.ts";

/**
 * Before a card closes, moves everything available on it to the float. An empty card moves nothing.
 * @throws DomainError `balance_limit_exceeded`, `books_unbalanced`.
 */
export async function sweepCard(
  ctx: WriteContext,
  sweep: { integrator: IntegratorAccounts; accounts: LockedAccounts; cardId: string },
): Promise<void> {
  const { integrator, accounts, cardId } = sweep;
  const [result] = await post(ctx.tx, accounts, [toSweep(ctx, integrator, cardId)]);
  await recordSweep(ctx, { ...sweep, swept: requireSwept(integrator, result) });
}

/** A move of everything available on a card to the float. Post it only with the float locked too. */
export function toSweep(
  ctx: WriteContext,
  integrator: IntegratorAccounts,
  cardId: string,
): PostRequest {
  return {
    kind: "card_sweep",
    debitAccountId: cardId,
    creditAccountId: integrator.floatId,
    amount: "all",
    currency: integrator.currency,
    idempotencyKey: null,
    requestId: ctx.request.id,
  };
}

/**
 * The transfers that emptied a card; none if it was already empty. A refused sweep never counts as an empty card.
 * @throws DomainError `balance_limit_exceeded`.
 */
export function requireSwept(
  integrator: IntegratorAccounts,
  result: PostResult | undefined,
): readonly Posted[] {
  if (!result) {
    throw new Error("A sweep had no result.");
  }
  if (result.posted) {
    return result.transfers;
  }
  if (result.reason !== "nothing") {
    throw toLimitRefusal(integrator, result);
  }
  return [];
}

/** Records what a sweep moved: each transfer with its transaction, its event, and its audit row. */
export async function recordSweep(
  ctx: WriteContext,
  sweep: {
    integrator: IntegratorAccounts;
    accounts: LockedAccounts;
    cardId: string;
    swept: readonly Posted[];
  },
): Promise<void> {
  const { integrator, accounts, cardId, swept } = sweep;
  if (swept.length === 0) {
    return;
  }
  if (integrator.booksUnbalanced) {
    throw booksUnbalanced();
  }
  const { actor, request } = ctx;
  const source = { kind: "debit", actor, request, cardId, narrative: null } as const;
  await recordMoves(
    ctx.tx,
    { integrator, accounts },
    swept.map((transfer) => toPostedMove(integrator, source, transfer)),
  );
}
