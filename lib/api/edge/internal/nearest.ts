import leven from "leven";

/** Longer text is not a misspelled name, and would cost too much to measure. */
const LENGTH_MAX = 60;

/** The share of a name's characters that may be wrong: two of five. */
const WRONG_SHARE = 0.4;

/**
 * The word that a misspelled one probably meant: the same except for case and separators, the only one that shares
 * whole words with it, or the one with the fewest wrong characters.
 */
export function findNearest(given: string, words: readonly string[]): string | undefined {
  if (given.length > LENGTH_MAX || toPlain(given) === "") {
    return undefined;
  }
  return (
    words.find((word) => toPlain(word) === toPlain(given)) ??
    findWithin(given, words) ??
    findSpelledAlike(given, words)
  );
}

/** A name without case and separators: `cardId`, `Card-Id`, and `card_id` are the same. */
export function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
}

/** Finds `card_id` for `card`, and `amount` for `amount_cents`. */
function findWithin(given: string, words: readonly string[]): string | undefined {
  const parts = toParts(given);
  const [only, ...more] = words.filter((word) => {
    const others = toParts(word);
    return others.isSubsetOf(parts) || parts.isSubsetOf(others);
  });
  return more.length === 0 ? only : undefined;
}

function toParts(name: string): Set<string> {
  const separated = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").toLowerCase();
  return new Set(separated.split(/[^a-z0-9]+/u).filter((part) => part !== ""));
}

function findSpelledAlike(given: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, wrong: leven(toPlain(word), toPlain(given)) }))
    .toSorted((a, b) => a.wrong - b.wrong);
  return best && best.wrong <= given.length * WRONG_SHARE ? best.word : undefined;
}
