import { z } from "zod";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import {
  CARD_SPENDING_CONTROLS,
  spendingControlsRequest,
} from "#lib/api/contract/spending-controls.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const updateCardSpendingControls = operation({
  id: "updateCardSpendingControls",
  method: "PATCH",
  path: "/cards/{id}/spending-controls",
  summary: "Set what a card may buy",
  description:
    "Replaces all its controls. What they do not allow is declined with category_blocked, country_blocked, or limit_exceeded; captures still count. A card without its own has the account's.",
  attempt: "change the spending controls of {card}",
  kind: "write",
  tagged: true,
  large: true,
  scope: "cards:limits",
  notFound: "card_not_found",
  body: z.strictObject({
    spending_controls: spendingControlsRequest
      .nullable()
      .describe("All controls of the card; {} for none, and null for those of the account."),
  }),
  answer: cardSchema,
  errors: ["card_closed", "clock_advancing"],
  examples: [
    {
      id: IDS.card,
      body: {
        spending_controls: {
          spending_limits: [{ amount: 50_000, interval: "monthly" }],
          blocked_categories: ["7995"],
        },
      },
      answer: {
        ...CARD,
        spending_controls: CARD_SPENDING_CONTROLS,
        spending_controls_source: "card",
      },
    },
    { id: IDS.card, body: { spending_controls: null } },
  ],
});
