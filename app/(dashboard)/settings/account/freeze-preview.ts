/** How many cards, at the start of a sentence: `No cards`, `1 card`, `1,204 cards`. */
export function toCardCount(cards: number): string {
  if (cards === 0) {
    return "No cards";
  }
  return cards === 1 ? "1 card" : `${cards.toLocaleString("en-US")} cards`;
}

/** A typed number. The operation's schema refuses what is no whole number. */
export function toWholeNumber(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
