import { message } from "#lib/messages/internal/message.ts";

/** A card, how many purchases it declined, and why most of them. */
interface DecliningCard {
  last4: string;
  declines: number;
  reason: string;
}

export const cardsDeclining = message<{
  cards: readonly DecliningCard[];
  /** How many cards decline, those that are not listed included. */
  total: number;
  path: string;
}>({
  kind: "cards.declining",
  name: "Cards declining purchases",
  to: ["admin", "operator"],
  topic: "cards",
  write: ({ businessName, cards, total, path }) => ({
    subject:
      total === 1
        ? `A card of ${businessName} keeps declining purchases`
        : `${total} cards of ${businessName} keep declining purchases`,
    lines: [
      ...cards.map(
        ({ last4, declines, reason }) =>
          `The card ending in ${last4} declined ${declines} purchases within an hour. Most frequent reason: ${reason}.`,
      ),
      ...(total > cards.length ? [`${total - cards.length} more cards do the same.`] : []),
    ],
    action: { label: "Look at the declines", path },
  }),
});
