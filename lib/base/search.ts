import { and, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { toFolded } from "#db/schema/columns.ts";

/** From this length on, the index finds text inside a word. Shorter searches match only the start of a word. */
const LENGTH_ANYWHERE_MIN = 3;

type Text = AnyPgColumn | SQL;

/**
 * The words of a search, which are found in any order. A search of short words only is one: alone, none of them would be
 * found by an index.
 */
export function toWords(search: string): string[] {
  const words = search.split(/\s+/u).filter(Boolean);
  return words.some(isLong) ? words : [search.trim()];
}

/** Whether a word can be found anywhere in a text by its index. */
export function isLong(word: string): boolean {
  return word.length >= LENGTH_ANYWHERE_MIN;
}

/** Matches a text that contains every word of a search. */
export function containsWords(text: Text, search: string): SQL | undefined {
  const words = toWords(search);
  const isOnly = words.length === 1;
  return and(...words.map((word) => containsWord(text, word, isOnly)));
}

/**
 * Matches a text that contains a word, whatever its case and accents; a short word that is all of a search, at the start of
 * a word only.
 */
export function containsWord(text: Text, word: string, isOnly: boolean): SQL | undefined {
  const folded = toFolded(text);
  const literal = sql`regexp_replace(search_text(${word}), '([\\\\%_])', '\\\\\\1', 'g')`;
  return isOnly && !isLong(word)
    ? or(sql`${folded} like ${literal} || '%'`, sql`${folded} like '% ' || ${literal} || '%'`)
    : sql`${folded} like '%' || ${literal} || '%'`;
}
