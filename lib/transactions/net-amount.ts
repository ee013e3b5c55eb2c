import type { Transaction } from "#lib/transactions/transactions.ts";

/**
 * What a transaction changed its card's balance by, in minor units: positive for funds onto the card, and 0 for what moved
 * nothing, such as a hold or a decline.
 */
export function toNetAmount({
  cardBalanceBefore,
  cardBalanceAfter,
}: Pick<Transaction, "cardBalanceBefore" | "cardBalanceAfter">): number {
  return cardBalanceAfter - cardBalanceBefore;
}
