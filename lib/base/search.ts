import { ilike, or } from "drizzle-orm";
import type { AnyColumn, SQL } from "drizzle-orm";

/** From this length on, the index finds text inside a word. Shorter searches match only the start of a word. */
const LENGTH_ANYWHERE_MIN = 3;

/** Matches a column that contains the search text, ignoring case; below three characters, at the start of a word only. */
export function containsText(column: AnyColumn | SQL, search: string): SQL | undefined {
  const literal = search.replaceAll(/[\\%_]/gu, String.raw`\$&`);
  return search.length < LENGTH_ANYWHERE_MIN
    ? or(ilike(column, `${literal}%`), ilike(column, `% ${literal}%`))
    : ilike(column, `%${literal}%`);
}
