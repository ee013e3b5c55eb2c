import { event } from "#lib/events/event.ts";
import { FUND_MOVEMENT, MOVED } from "#lib/events/internal/card.ts";
import { FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";

export const cardCredited = event({
  name: "card.credited",
  order: 6,
  when: "Funds moved from the float to a card, or covered a purchase that the card could not pay.",
  data: FUND_MOVEMENT,
  example: { data: MOVED },
  actions: { "card.credited": "Card credited" },
  format: (formatter) =>
    formatter.text("cover_of") === ""
      ? say`${formatter.who} credited ${formatter.subject} with ${formatter.moved()}`
      : say`${formatter.moved()} covered a purchase that ${formatter.subject} could not pay`,
  trigger: { needs: "active card", calls: FUND_CARD },
});
