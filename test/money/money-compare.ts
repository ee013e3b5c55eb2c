import { expect } from "vitest";
import { readBooks } from "./money-books.ts";
import type { MoneyModel } from "./money-model.ts";
import type { MoneyAccount, MoneyWorld } from "./money-world.ts";

/** Of each card, whether it is used once. */
export const SINGLE_USE = [false, false, true];

/** What a life knows by the product's ids, in order of creation. */
interface Known {
  model: MoneyModel;
  holds: readonly { id: string }[];
  purchases: readonly { id: string }[];
}

/** Expects the product's books to be the model's. */
export async function compareBooks(
  { db }: MoneyWorld,
  account: MoneyAccount,
  { life, after }: { life: Known; after: string },
): Promise<void> {
  const { accounts, purchases } = await readBooks(db, account.id);
  const balanceOf = (kind: string) => accounts.find((each) => each.kind === kind)?.balance ?? NaN;
  const byId = new Map(accounts.map((each) => [each.id, each]));
  const rowOf = new Map(purchases.map((row) => [row.id, row]));
  expect({
    after,
    float: balanceOf("float"),
    deficit: -balanceOf("deficit") || 0,
    cards: account.cardIds.map((id, index) => {
      const { status, balance, held } = byId.get(id) ?? {};
      return { status, singleUse: SINGLE_USE[index], balance, held };
    }),
    // In the order in which they settled.
    purchases: life.purchases.map(({ id }) => {
      const row = rowOf.get(id);
      return [id, row?.amount, row?.covered, row?.refunded];
    }),
    holds: life.holds.map(({ id }) => {
      const row = rowOf.get(id);
      return [id, row?.status, row?.captured, row?.released];
    }),
  }).toEqual({
    after,
    float: life.model.float,
    deficit: life.model.deficit,
    cards: life.model.cards,
    purchases: life.model.purchases.map(({ name, amount, covered, refunded }) => [
      name,
      amount,
      covered,
      refunded,
    ]),
    holds: life.holds.map(({ id }) => {
      const hold = life.model.authorizations.get(id);
      return [id, hold?.state, hold?.captured, hold?.released];
    }),
  });
}
