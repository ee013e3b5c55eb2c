import { ilike, or } from "drizzle-orm";
import type { AnyColumn, SQL } from "drizzle-orm";

/** From this length on the index finds a text in the middle of a word; shorter ones at the start of one. */
const LENGTH_ANYWHERE_MIN = 3;

/** That a column holds what was searched for, in any letter case; below three characters, at the start of a word. */
export function holds(column: AnyColumn | SQL, search: string): SQL | undefined {
  const literal = search.replaceAll(/[\\%_]/gu, String.raw`\$&`);
  return search.length < LENGTH_ANYWHERE_MIN
    ? or(ilike(column, `${literal}%`), ilike(column, `% ${literal}%`))
    : ilike(column, `%${literal}%`);
}
