import { CARD } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { cardSchema } from "#lib/api/contract/resources.ts";
import { say } from "#lib/sentences/say.ts";

export const cardCreated = event({
  name: "card.created",
  order: 1,
  when: "A card was created.",
  data: cardSchema,
  example: { data: { ...CARD, balance: 0, available: 0 } },
  actions: { "card.created": "Card created" },
  tell: ({ who, subject }) => say`${who} created ${subject}`,
  trigger: { needs: "new card", calls: [] },
});
