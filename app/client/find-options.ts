import type { Option } from "./use-categories.ts";

/** How many options a list shows: more would be slow, and nobody reads them. */
const SHOWN_MAX = 50;

/**
 * The best options for a typed text: first those with that code, then names that begin with it, then names that
 * contain it.
 */
export function findOptions(options: readonly Option[], typed: string): readonly Option[] {
  const text = typed.trim().toLowerCase();
  const ranked = options.flatMap((option) => {
    const rank = toRank(option, text);
    return rank === null ? [] : [{ option, rank }];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, SHOWN_MAX)
    .map(({ option }) => option);
}

/** The rank of an option: smaller is better; null if it does not match. */
function toRank({ id, name }: Option, text: string): number | null {
  const words = name.toLowerCase();
  if (id.toLowerCase().startsWith(text)) {
    return 0;
  }
  if (words.startsWith(text)) {
    return 1;
  }
  return words.includes(text) ? 2 : null;
}
