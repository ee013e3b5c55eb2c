import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const getCard = operation({
  id: "getCard",
  method: "GET",
  path: "/cards/{id}",
  summary: "Get a card",
  description: "The card as it is now, with its balance.",
  kind: "read",
  tagged: true,
  scope: "cards:read",
  notFound: "card_not_found",
  answer: cardSchema,
  examples: [{ id: IDS.card, answer: CARD }],
});
