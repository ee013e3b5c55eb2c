import type { Transaction } from "#lib/transactions/transactions.ts";

/**
 * By how much a transaction changed its card's balance, in minor units: positive for funds onto the card, 0 if it moved
 * nothing, such as a hold or a decline.
 */
export function toNetAmount({
  cardBalanceBefore,
  cardBalanceAfter,
}: Pick<Transaction, "cardBalanceBefore" | "cardBalanceAfter">): number {
  return cardBalanceAfter - cardBalanceBefore;
}
