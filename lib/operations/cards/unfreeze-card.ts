import { z } from "zod";
import { verbatim } from "#lib/api/contract/fields.ts";
import { cardSchema, freezeLevel, CARD } from "#lib/api/contract/card.ts";
import { statusVersion } from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const unfreezeBody = z.strictObject({
  comment: verbatim.nullable().default(null),
  level: freezeLevel
    .optional()
    .describe(
      "Lifts the freeze of this level alone. Omit it to lift all that stand, if you may lift all of them.",
    ),
  status_version: statusVersion,
});

export const unfreezeCard = operation({
  id: "unfreezeCard",
  method: "PATCH",
  path: "/cards/{id}/unfreeze",
  summary: "Unfreeze a card",
  description:
    "Lifts every freeze of the card, or with level that one alone; the card stays frozen while another stands. Unfreezing what is not frozen changes nothing and answers 200. The scope cards:freeze lifts the freeze of the level cardholder, cards:write also that of the level staff, and cards:lift that of the level compliance. Send status_version to lift only what you know of.",
  attempt: "unfreeze {card}",
  kind: "write",
  scope: "cards:freeze",
  since: "0.5.0",
  notFound: "card_not_found",
  body: unfreezeBody,
  answer: cardSchema,
  errors: ["card_closed", "card_status_changed", "clock_advancing", "freeze_not_liftable"],
  examples: [
    {
      needs: "frozen card",
      id: IDS.card,
      body: { comment: "Found again" },
      answer: { ...CARD, status_version: 3 },
    },
  ],
});
