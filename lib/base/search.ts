import { and, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { toFolded } from "#db/schema/columns.ts";

/** From this length on, the index finds text inside a word. Shorter searches match only the start of a word. */
const LENGTH_ANYWHERE_MIN = 3;

type Text = AnyPgColumn | SQL;

/**
 * Splits a search into words, which are found in any order. Commas after a word, and the dots or stars of a masked card
 * number before it, are removed. An amount is one word, however it is written. A search of only short words is one
 * word, because the index would find none of them alone.
 */
export function toWords(search: string): string[] {
  const text = joinAmounts(search.normalize("NFKC").trim());
  const words = text
    .split(/[,;]*(?:\s+|$)/u)
    .map((word) => word.replace(/^[•*]+/u, ""))
    .filter(Boolean);
  return words.some(isLong) ? words : [text];
}

/** Removes the spaces of `$ 7.41`, `1 234,50`, and `7,41 €`. */
function joinAmounts(text: string): string {
  return text
    .replaceAll(/(?<=(?<!\S)[-+−]?\p{Sc})\s(?=[0-9])/gu, "")
    .replaceAll(
      /(?<!\S)[-+−]?\p{Sc}?[0-9]{1,3}(?:\s[0-9]{3})+[.,][0-9]{1,2}(?![0-9])/gu,
      (amount) => amount.replaceAll(/\s/gu, ""),
    )
    .replaceAll(/(?<=[0-9])\s(?=\p{Sc}(?!\S))/gu, "");
}

/** Whether a word can be found anywhere in a text by its index. */
export function isLong(word: string): boolean {
  return word.length >= LENGTH_ANYWHERE_MIN;
}

/**
 * Matches rows that meet the condition of every word of a search.
 * @param toCondition the condition of a word; `isIn` matches a text that contains the word, whatever its case and
 * accents.
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

/** Matches a text that contains the whole of another one, whatever its case and accents. */
export function matchText(text: Text, part: string): SQL {
  return containsAnywhere(toFolded(text), toLiteral(part));
}

function containsAnywhere(folded: SQL, literal: SQL): SQL {
  return sql`${folded} like '%' || ${literal} || '%'`;
}

function containsAtWordStart(folded: SQL, literal: SQL): SQL | undefined {
  return or(sql`${folded} like ${literal} || '%'`, sql`${folded} like '% ' || ${literal} || '%'`);
}

/** A text as a literal pattern for `like`. */
function toLiteral(text: string): SQL {
  return sql`regexp_replace(search_text(${text}), '([\\\\%_])', '\\\\\\1', 'g')`;
}
