import type { ReadContext } from "#lib/base/context.ts";
import { isId } from "#lib/base/ids.ts";
import { isLong, toWords } from "#lib/base/search.ts";
import { findCardIds } from "#lib/cards/card-reads.ts";

/** The cards that each word of a search may mean: by name on the card, last four digits, or holder's email. */
export type CardsOfWords = ReadonlyMap<string, readonly string[]>;

/**
 * The most cards that a word may mean, the newest first, and the most words that may mean cards: they bound a search.
 */
const CARDS_MAX = 1_000;
const WORDS_MAX = 8;

/**
 * Finds the cards that a search for transactions may mean. They are found first, because transactions have no index
 * of names and digits.
 * @param read runs one statement.
 */
export async function findCardsOfWords(
  read: <T>(one: (ctx: ReadContext) => Promise<T>) => Promise<T>,
  search: string | undefined,
): Promise<CardsOfWords> {
  const found = new Map<string, readonly string[]>();
  const words = search && !isId(search) ? toWords(search).filter(isLong) : [];
  for (const word of words.slice(0, WORDS_MAX)) {
    found.set(word, await read((ctx) => findCardIds(ctx, { search: word, limit: CARDS_MAX })));
  }
  return found;
}
