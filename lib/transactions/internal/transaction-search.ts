import { eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { CURRENCIES } from "#lib/base/currencies.ts";
import { isId } from "#lib/base/ids.ts";
import { matchWords } from "#lib/base/search.ts";
import type { CardsOfWords } from "#lib/transactions/searched-cards.ts";
import { transactions } from "#db/schema/transactions.ts";
import { toSearchedText } from "#db/schema/searched-text.ts";

/** Matches transactions by their id or their card's id, or by every word: in the text, amount, currency, or card. */
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
      isCurrency(word) ? eq(transactions.currency, word.toUpperCase()) : undefined,
      ids.length > 0 ? sql`${transactions.cardId} = any(${sql.param(ids)}::uuid[])` : undefined,
    );
  });
}

function isCurrency(word: string): boolean {
  return CURRENCIES.includes(word.toUpperCase());
}

const CURRENCY = String.raw`[\p{Sc}A-Za-z]{0,3}`;
const AMOUNT = new RegExp(
  String.raw`^[-+−]?${CURRENCY}(?<whole>[0-9]{1,3}(?:[,.'’][0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}|[0-9]{1,13})(?:[.,](?<part>[0-9]{1,3}))?${CURRENCY}$`,
  "u",
);

/**
 * The amounts that a word may mean, in minor units: `7.41`, `−$7.41`, `7,41`, `1,234.50`, and `1.234,50`; without
 * decimals, in minor units or in whole units of a currency with two. Ignores the sign, which shows only the direction.
 */
export function toSearchedAmounts(word: string): number[] {
  const { whole, part } = AMOUNT.exec(word)?.groups ?? {};
  if (whole === undefined) {
    return [];
  }
  const units = whole.replaceAll(/[,.'’]/gu, "");
  const amounts = part === undefined ? [units, `${units}00`] : [`${units}${part.padEnd(2, "0")}`];
  return amounts.map(Number).filter(Number.isSafeInteger);
}
