import type { WriteContext } from "#lib/base/context.ts";
import { toLimitRefusal } from "#lib/funds/funds.ts";
import { booksUnbalanced } from "#lib/ledger/books-unbalanced.ts";
import { recordMoves, toPostedMove } from "#lib/funds/funds-records.ts";
import type { LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";
import { post } from "#lib/ledger/post.ts";
import type { Posted, PostRequest, PostResult } from "#lib/ledger/post.ts";

/**
 * Moves everything available on a card that is about to close to the float; an empty card moves nothing.
 * @throws DomainError `balance_limit_exceeded`, `books_unbalanced`.
 */
export async function sweepCard(
  ctx: WriteContext,
  sweep: { tenant: Tenant; accounts: LockedAccounts; cardId: string },
): Promise<void> {
  const { tenant, accounts, cardId } = sweep;
  const [result] = await post(ctx.tx, accounts, [toSweep(ctx, tenant, cardId)]);
  await recordSweep(ctx, { ...sweep, swept: requireSwept(tenant, result) });
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

/**
 * The transfers that emptied a card: none where it was empty. A sweep that was refused is never taken for an empty card.
 * @throws DomainError `balance_limit_exceeded`.
 */
export function requireSwept(tenant: Tenant, result: PostResult | undefined): readonly Posted[] {
  if (!result) {
    throw new Error("A sweep had no result.");
  }
  if (result.posted) {
    return result.transfers;
  }
  if (result.reason !== "nothing") {
    throw toLimitRefusal(tenant, result);
  }
  return [];
}

/** Writes down what a sweep moved: each transfer with its transaction, its event and its audit row. */
export async function recordSweep(
  ctx: WriteContext,
  sweep: { tenant: Tenant; accounts: LockedAccounts; cardId: string; swept: readonly Posted[] },
): Promise<void> {
  const { tenant, accounts, cardId, swept } = sweep;
  if (swept.length === 0) {
    return;
  }
  if (tenant.booksUnbalanced) {
    throw booksUnbalanced();
  }
  const { actor, request } = ctx;
  const source = { kind: "debit", actor, request, cardId, narrative: null } as const;
  await recordMoves(
    ctx.tx,
    { tenant, accounts },
    swept.map((transfer) => toPostedMove(tenant, source, transfer)),
  );
}
