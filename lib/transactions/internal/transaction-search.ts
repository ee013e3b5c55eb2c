import { eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isId } from "#lib/base/ids.ts";
import { matchWords } from "#lib/base/search.ts";
import type { CardsOfWords } from "#lib/transactions/searched-cards.ts";
import { transactions } from "#db/schema/cards.ts";
import { toSearchedText } from "#db/schema/searched-text.ts";

/** Matches what has the id, or every word: in its text, as its amount, or of its card. */
export function toSearchCondition(
  search: string,
  cards: CardsOfWords = new Map(),
): SQL | undefined {
  if (isId(search)) {
    return or(eq(transactions.id, search), eq(transactions.cardId, search));
  }
  return matchWords(search, (word, isIn) => {
    const ids = cards.get(word) ?? [];
    return or(
      isIn(toSearchedText(transactions)),
      ...toSearchedAmounts(word).map((amount) => eq(transactions.amount, amount)),
      ids.length > 0 ? sql`${transactions.cardId} = any(${sql.param(ids)}::uuid[])` : undefined,
    );
  });
}

const CURRENCY = String.raw`[\p{Sc}A-Za-z]{0,3}`;
const AMOUNT = new RegExp(
  String.raw`^${CURRENCY}(?<whole>[0-9]{1,3}(?:[,.'][0-9]{3})+|[0-9]{1,13})(?:[.,](?<part>[0-9]{1,3}))?${CURRENCY}$`,
  "u",
);

/**
 * The amounts that a word may mean, in minor units: `7.41`, `$7.41`, `7,41`, `1,234.50`, and `1.234,50`; without decimals,
 * in minor units or in whole units of a currency with two.
 */
export function toSearchedAmounts(word: string): number[] {
  const { whole, part } = AMOUNT.exec(word)?.groups ?? {};
  if (whole === undefined) {
    return [];
  }
  const units = whole.replaceAll(/[,.']/gu, "");
  const amounts = part === undefined ? [units, `${units}00`] : [`${units}${part.padEnd(2, "0")}`];
  return amounts.map(Number).filter(Number.isSafeInteger);
}
