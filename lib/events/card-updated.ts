import { CARD, cardSchema } from "#lib/api/contract/card.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const cardUpdated = event({
  name: "card.updated",
  order: 2,
  when: "A card's metadata or spending controls changed.",
  data: cardSchema,
  example: { data: CARD, previous: { metadata: {} } },
  actions: { "card.updated": "Card updated" },
  format: ({ who, subject, before }) =>
    "spending_controls" in before
      ? say`${who} changed the spending controls of ${subject}`
      : say`${who} changed the metadata of ${subject}`,
  trigger: {
    needs: "active card",
    calls: [["cards.update", "$card", { metadata: { triggered_at: "$now" } }]],
  },
});
