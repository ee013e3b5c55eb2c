import type { NamedCard } from "#lib/cards/card-names.ts";

/** A card as dialogs and lists name it: its holder and its last four. */
export function toCardTitle(name: string, last4: string): string {
  return `${name} •••• ${last4}`;
}

/** The titles of cards by their ids. */
export function toCardTitles(cards: readonly NamedCard[]): ReadonlyMap<string, string> {
  return new Map(
    cards.map(({ cardId, cardName, last4 }) => [cardId, toCardTitle(cardName, last4)]),
  );
}
