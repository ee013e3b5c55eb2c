import { CARD } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { THE_CARD } from "#lib/events/internal/card.ts";
import { say } from "#lib/sentences/say.ts";

export const cardUnfrozen = event({
  name: "card.unfrozen",
  order: 4,
  when: "A card was unfrozen.",
  data: THE_CARD,
  example: { data: CARD, previous: { status: "frozen" } },
  actions: { "card.unfrozen": "Card unfrozen" },
  tell: ({ who, subject }) => say`${who} unfroze ${subject}`,
  trigger: {
    needs: "active card",
    calls: [
      ["cards.freeze", "$card"],
      ["cards.unfreeze", "$card"],
    ],
  },
});
