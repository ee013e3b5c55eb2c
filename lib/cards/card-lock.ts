import type { CardStatus } from "#lib/cards/card-state.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { booksUnbalanced } from "#lib/ledger/books-unbalanced.ts";
import { lockCards, lockCardsAndFloat, readTenant } from "#lib/ledger/accounts.ts";
import type { LedgerAccount, LockedAccounts, Tenant } from "#lib/ledger/accounts.ts";

export type CardAccount = LedgerAccount & { status: CardStatus };

/** A card whose account this transaction has locked: nothing about its money or its state changes elsewhere meanwhile. */
export interface LockedCard {
  tenant: Tenant;
  accounts: LockedAccounts;
  account: CardAccount;
}

/**
 * Locks one card of the caller's integrator for a change of its money.
 * @throws DomainError `card_not_found`, `books_unbalanced`.
 */
export async function lockCard(ctx: WriteContext, cardId: string): Promise<LockedCard> {
  const tenant = await readTenant(ctx.tx, ctx.actor.integratorId);
  if (tenant.booksUnbalanced) {
    throw booksUnbalanced();
  }
  const accounts = await lockCards(ctx.tx, tenant.integratorId, [cardId]);
  return { tenant, accounts, account: requireCardAccount(accounts, cardId) };
}

/** @throws DomainError `card_not_found` for what is not among the locked, or is no card. */
export function requireCardAccount(accounts: LockedAccounts, cardId: string): CardAccount {
  const account = findCardAccount(accounts, cardId);
  if (!account) {
    throw notFound("card_not_found");
  }
  return account;
}

export function findCardAccount(accounts: LockedAccounts, cardId: string): CardAccount | undefined {
  const account = accounts.byId.get(cardId);
  return account && account.status !== null ? { ...account, status: account.status } : undefined;
}

/** The same card with the float behind it. The float comes last, as everywhere, so that nobody waits in a circle. */
export async function lockFloatToo(ctx: WriteContext, card: LockedCard): Promise<LockedCard> {
  const { tenant, account } = card;
  return { ...card, accounts: await lockCardsAndFloat(ctx.tx, tenant.integratorId, [account.id]) };
}
