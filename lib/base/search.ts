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

/**
 * Matches what meets the condition of every word of a search.
 * @param toCondition the condition of a word; `isIn` matches a text that contains the word, whatever its case and accents.
 */
export function matchWords(
  search: string,
  toCondition: (word: string, isIn: (text: Text) => SQL | undefined) => SQL | undefined,
): SQL | undefined {
  const words = toWords(search);
  const contains = words.some(isLong) ? containsAnywhere : containsAtWordStart;
  return and(
    ...words.map((word) => toCondition(word, (text) => contains(toFolded(text), toLiteral(word)))),
  );
}

/** Matches a text that has a word beginning with this one, whatever its case and accents. */
export function matchWordStart(text: Text, word: string): SQL | undefined {
  return containsAtWordStart(toFolded(text), toLiteral(word));
}

function containsAnywhere(folded: SQL, literal: SQL): SQL {
  return sql`${folded} like '%' || ${literal} || '%'`;
}

function containsAtWordStart(folded: SQL, literal: SQL): SQL | undefined {
  return or(sql`${folded} like ${literal} || '%'`, sql`${folded} like '% ' || ${literal} || '%'`);
}

/** A word as `like` takes it. */
function toLiteral(word: string): SQL {
  return sql`regexp_replace(search_text(${word}), '([\\\\%_])', '\\\\\\1', 'g')`;
}
