import { CARD, cardSchema } from "#lib/api/contract/card.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const cardClosed = event({
  name: "card.closed",
  order: 5,
  when: "A card was closed permanently.",
  data: cardSchema,
  example: {
    data: { ...CARD, status: "closed", status_version: 2, balance: 0, available: 0 },
    previous: { status: "active" },
  },
  actions: { "card.closed": "Card closed" },
  format: ({ who, subject }) => say`${who} closed ${subject}`,
  trigger: { needs: "new card", calls: [["cards.close", "$card"]] },
});
