import { CARD, cardSchema } from "#lib/api/contract/card.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const cardUpdated = event({
  name: "card.updated",
  order: 2,
  when: "A card's metadata changed.",
  data: cardSchema,
  example: { data: CARD, previous: { metadata: {} } },
  actions: { "card.updated": "Card metadata changed" },
  format: ({ who, subject }) => say`${who} changed the metadata of ${subject}`,
  trigger: {
    needs: "active card",
    calls: [["cards.update", "$card", { metadata: { triggered_at: "$now" } }]],
  },
});
