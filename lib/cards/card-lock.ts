import type { WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { liftEndedFreezes } from "#lib/cards/card-status.ts";
import * as ledger from "#lib/ledger/accounts.ts";
import { findCardAccount, lockFloatAfter, requireUnpaused } from "#lib/ledger/accounts.ts";
import type { CardAccount, Locked, LockedAccounts } from "#lib/ledger/accounts.ts";
import type { Tx } from "#db/transaction.ts";

/** A card whose account this transaction has locked. Nothing else can change its money or its state in the meantime. */
export interface LockedCard extends Locked {
  account: CardAccount;
}

/** Locks the cards, then lifts expired freezes. */
export async function lockCards(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<Locked> {
  return liftEndedFreezes(tx, await ledger.lockCards(tx, integratorId, ids));
}

/** Locks the cards and the float, then lifts expired freezes. */
export async function lockCardsAndFloat(
  tx: Tx,
  integratorId: string,
  ids: readonly string[],
): Promise<Locked> {
  return liftEndedFreezes(tx, await ledger.lockCardsAndFloat(tx, integratorId, ids));
}

/**
 * Locks one card of the caller's integrator so that the card network can change its money. A discrepancy in the books
 * does not prevent that: what the network reports has already happened.
 * @throws DomainError `card_not_found`, `clock_advancing`.
 */
export async function lockCard(ctx: WriteContext, cardId: string): Promise<LockedCard> {
  const { integratorId } = ctx.actor;
  const { accounts, integrator } = await lockCards(ctx.tx, integratorId, [cardId]);
  requireUnpaused(integrator);
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

/** Locks the float of a locked card. The float is always locked after cards, so that transactions cannot deadlock. */
export async function lockWithFloat(ctx: WriteContext, card: LockedCard): Promise<LockedCard> {
  return { ...card, accounts: await lockFloatAfter(ctx.tx, card.accounts) };
}
