import { z } from "zod";
import { metadataPatch } from "#lib/api/contract/fields.ts";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const updateCard = operation({
  id: "updateCard",
  method: "PATCH",
  path: "/cards/{id}",
  summary: "Change a card's metadata: a value sets its key, null removes it, other keys stay",
  description: "At most 20 keys and 4,096 bytes in total.",
  attempt: "change the metadata of {card}",
  kind: "write",
  tagged: true,
  scope: "cards:write",
  notFound: "card_not_found",
  body: z.strictObject({
    metadata: metadataPatch.describe(
      "The keys to set, each with its value, or with null to remove it.",
    ),
  }),
  answer: cardSchema,
  errors: ["clock_advancing", "user_erased"],
  examples: [{ id: IDS.card, body: { metadata: { order_id: "4711" } }, answer: CARD }],
});
