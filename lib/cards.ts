import { requireCardAccount } from "#lib/card-lock.ts";
import type { Card } from "#lib/card-resource.ts";
import { cardCan } from "#lib/card-state.ts";
import type { FreezeReason } from "#lib/card-state.ts";
import { decideStatuses } from "#lib/card-status.ts";
import type { StatusChange } from "#lib/card-status.ts";
import type { WriteContext } from "#lib/context.ts";
import { DomainError } from "#lib/errors.ts";
import { sweepCard } from "#lib/sweep.ts";
import { lockCardsAndFloat, readTenant } from "#lib/ledger/accounts.ts";

/**
 * Freezes a card: once this is committed, nothing that starts later can be approved on it. A frozen card stays as it is,
 * with its first reason.
 * @throws DomainError `card_not_found`, `card_closed`.
 */
export async function freezeCard(
  ctx: WriteContext,
  id: string,
  input: { reason: FreezeReason | null; comment: string | null },
): Promise<Card> {
  return changeStatus(ctx, id, { to: "frozen", ...input });
}

/**
 * Lifts a freeze. An active card stays as it is.
 * @throws DomainError `card_not_found`, `card_closed`.
 */
export async function unfreezeCard(
  ctx: WriteContext,
  id: string,
  input: { comment: string | null },
): Promise<Card> {
  return changeStatus(ctx, id, { to: "active", reason: null, ...input });
}

/**
 * Closes a card for good and sweeps what is available on it to the float.
 * @throws DomainError `card_not_found`, `card_closed`, `card_has_holds`, `balance_limit_exceeded`, `books_unbalanced`.
 */
export async function closeCard(
  ctx: WriteContext,
  id: string,
  input: { comment: string | null },
): Promise<Card> {
  const tenant = await readTenant(ctx.tx, ctx.actor.integratorId);
  const accounts = await lockCardsAndFloat(ctx.tx, tenant.integratorId, [id]);
  const obstacle = cardCan.close(requireCardAccount(accounts, id));
  if (obstacle) {
    throw new DomainError(obstacle.code, obstacle.detail);
  }
  await sweepCard(ctx, { tenant, accounts, cardId: id });
  return changeStatus(ctx, id, { to: "closed", reason: null, ...input });
}

/**
 * Closes a single-use card whose purchase has settled and which holds nothing any more. The caller has locked it and has
 * swept what was left on it.
 */
export async function closeSpentCard(ctx: WriteContext, id: string): Promise<void> {
  await changeStatus(ctx, id, {
    to: "closed",
    reason: null,
    comment: "Closed after its single use",
  });
}

async function changeStatus(
  { tx, actor, request }: WriteContext,
  cardId: string,
  change: StatusChange,
): Promise<Card> {
  const { results, write } = await decideStatuses(tx, [{ cardId, actor, request, ...change }]);
  const [result] = results;
  if (!result) {
    throw new Error("A change of status had no result.");
  }
  if ("error" in result) {
    throw result.error;
  }
  await write();
  return result.card;
}
