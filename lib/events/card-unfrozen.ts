import { z } from "zod";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const cardUnfrozen = event({
  name: "card.unfrozen",
  order: 4,
  when: "No freeze of a card stands any more.",
  data: cardSchema
    .extend({
      due_at: z.iso
        .datetime()
        .nullable()
        .describe("The end of a freeze that ended by itself; null if somebody lifted it."),
    })
    .meta({ id: "UnfrozenCard" }),
  example: { data: { ...CARD, due_at: null }, previous: { status: "frozen" } },
  actions: { "card.unfrozen": "Card unfrozen" },
  format: ({ who, subject }) => say`${who} unfroze ${subject}`,
  trigger: {
    needs: "active card",
    calls: [
      ["cards.freeze", "$card"],
      ["cards.unfreeze", "$card"],
    ],
  },
});
