import { z } from "zod";
import { verbatim } from "#lib/api/contract/fields.ts";
import { cardSchema } from "#lib/api/contract/resources.ts";
import { statusVersion } from "#lib/operations/cards/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { CARD, IDS } from "#lib/api/contract/samples.ts";

const unfreezeBody = z.strictObject({
  comment: verbatim.nullable().default(null),
  status_version: statusVersion,
});

export const unfreezeCard = operation({
  id: "unfreezeCard",
  method: "PATCH",
  path: "/cards/{id}/unfreeze",
  summary: "Unfreeze a card",
  description:
    "Unfreezing an active card changes nothing and answers 200. Send status_version to lift only the freeze that you know of.",
  attempt: "unfreeze {card}",
  kind: "write",
  scope: "cards:write",
  since: "0.5.0",
  notFound: "card_not_found",
  body: unfreezeBody,
  answer: cardSchema,
  errors: ["card_closed", "card_status_changed", "clock_advancing", "overloaded"],
  examples: [
    {
      needs: "frozen card",
      id: IDS.card,
      body: { comment: "Found again" },
      answer: { ...CARD, status_version: 3 },
    },
  ],
});
