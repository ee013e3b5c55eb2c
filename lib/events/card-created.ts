import { CARD, cardSchema } from "#lib/api/contract/card.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const cardCreated = event({
  name: "card.created",
  order: 1,
  when: "A card was created.",
  data: cardSchema,
  example: { data: { ...CARD, balance: 0, available: 0 } },
  actions: { "card.created": "Card created" },
  format: ({ who, subject }) => say`${who} created ${subject}`,
  trigger: { needs: "new card", calls: [] },
});
