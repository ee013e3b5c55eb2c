import { requireSecondPerson } from "#lib/approvals/second-person.ts";
import { lockCardsAndFloat, requireCardAccount } from "#lib/cards/card-lock.ts";
import { booksUnbalanced } from "#lib/ledger/accounts.ts";
import { unchangedAccounts } from "#lib/ledger/decide.ts";
import type { AccountChanges } from "#lib/ledger/decide.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { Caller, WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { decideSweep, toSwept } from "#lib/funds/sweep.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/**
 * Closes a card permanently and sweeps its available balance to the float. Funds held by its open authorizations stay
 * until they are captured, or go to the float when they are released.
 * @throws DomainError `card_not_found`, `card_closed`, `balance_limit_exceeded`, `books_unbalanced`. HeldUp if somebody
 * else must approve the move.
 */
export async function closeCard(
  ctx: WriteContext,
  id: string,
  input: { comment: string | null },
): Promise<Card> {
  const { integratorId } = ctx.actor;
  const { accounts, integrator } = await lockCardsAndFloat(ctx.tx, integratorId, [id]);
  const account = requireCardAccount(accounts, id);
  const sweep = decideClose(ctx, { integrator, account }, unchangedAccounts(accounts));
  const moving = { caller: ctx, amount: toSwept(sweep), cards: [id] };
  await requireSecondPerson(ctx.tx, integrator, [moving]);
  await writeChanges(ctx.tx, integrator, sweep);
  return writeClosed(ctx, id, input.comment);
}

/**
 * Decides whether a card may be closed, and what it then returns to the float, after the changes decided so far.
 * @throws DomainError `card_closed`, `balance_limit_exceeded`, `books_unbalanced`.
 */
export function decideClose(
  caller: Caller,
  { integrator, account }: Omit<LockedCard, "accounts">,
  changes: AccountChanges,
): Changes {
  const disabledReason = cardCan.close(account);
  if (disabledReason) {
    throw new DomainError(disabledReason.code, disabledReason.detail);
  }
  if (integrator.booksUnbalanced && account.balance > account.held) {
    throw booksUnbalanced();
  }
  return decideSweep(caller, { integrator, account }, changes);
}

/**
 * Closes a single-use card whose purchase has settled and which no longer holds anything. The caller must have locked it
 * and swept its remaining balance.
 */
export async function closeSpentCard(ctx: WriteContext, id: string): Promise<void> {
  await writeClosed(ctx, id, "Closed after its single purchase");
}

/** Closes a card that the caller has locked and whose available balance it has swept. */
export function writeClosed(
  { tx, actor, request }: WriteContext,
  cardId: string,
  comment: string | null,
): Promise<Card> {
  return performOne(tx, changeCardStatus, {
    actor,
    request,
    cardId,
    to: "closed",
    comment,
    statusVersion: null,
  });
}
