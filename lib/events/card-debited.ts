import { event } from "#lib/events/event.ts";
import { FUND_MOVEMENT, MOVED } from "#lib/events/internal/card.ts";
import { AMOUNT, FUND_CARD } from "#lib/events/internal/calls.ts";
import { say } from "#lib/sentences/say.ts";

export const cardDebited = event({
  name: "card.debited",
  order: 7,
  when: "Funds moved from a card to the float, or what had covered a purchase was given back.",
  data: FUND_MOVEMENT,
  example: { data: { ...MOVED, card_balance_after: 0, float_balance_after: 1_000_000 } },
  actions: { "card.debited": "Card debited" },
  format: (formatter) =>
    formatter.text("cover_of") === ""
      ? say`${formatter.who} debited ${formatter.moved()} from ${formatter.subject}`
      : say`${formatter.moved()} that had covered a purchase went from ${formatter.subject} back to the float`,
  trigger: {
    needs: "active card",
    calls: [...FUND_CARD, ["cards.debit", { card_id: "$card", amount: AMOUNT }]],
  },
});
