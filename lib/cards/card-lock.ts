import type { WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import {
  findCardAccount,
  findSuspension,
  lockCards,
  lockFloatAfter,
} from "#lib/ledger/accounts.ts";
import type { CardAccount, Locked, LockedAccounts } from "#lib/ledger/accounts.ts";

/** A card whose account this transaction has locked. Nothing else can change its money or its state in the meantime. */
export interface LockedCard extends Locked {
  account: CardAccount;
}

/**
 * Locks one card of the caller's integrator so that its money can change.
 * @throws DomainError `card_not_found`, `books_unbalanced`, `clock_advancing`.
 */
export async function lockCard(ctx: WriteContext, cardId: string): Promise<LockedCard> {
  const { integratorId } = ctx.actor;
  const { accounts, integrator } = await lockCards(ctx.tx, integratorId, [cardId]);
  const suspension = findSuspension(integrator);
  if (suspension) {
    throw suspension;
  }
  return { integrator, accounts, account: requireCardAccount(accounts, cardId) };
}

/** @throws DomainError `card_not_found` when the id is not among the locked accounts, or is not a card's. */
export function requireCardAccount(accounts: LockedAccounts, cardId: string): CardAccount {
  const account = findCardAccount(accounts, cardId);
  if (!account) {
    throw notFound("card_not_found");
  }
  return account;
}

/** The same card with its float locked too. The float is always locked last, so that transactions cannot deadlock. */
export async function lockWithFloat(ctx: WriteContext, card: LockedCard): Promise<LockedCard> {
  const { integrator, account } = card;
  return {
    ...card,
    accounts: await lockFloatAfter(ctx.tx, integrator.integratorId, [account.id]),
  };
}
