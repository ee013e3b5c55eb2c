import { z } from "zod";
import { verbatim } from "#lib/api/contract/fields.ts";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const closeBody = z.strictObject({ comment: verbatim.nullable().default(null) });

export const closeCard = operation({
  id: "closeCard",
  method: "POST",
  path: "/cards/{id}/close",
  summary: "Close a card permanently and return its available balance to the float",
  description:
    "Final. What is available returns to the float at once. What open authorizations hold stays on the card: captures take it, and what is released returns to the float. New authorizations are declined.",
  attempt: "close {card}",
  kind: "write",
  scope: "cards:write",
  approval: "amount",
  notFound: "card_not_found",
  body: closeBody,
  answer: cardSchema,
  errors: ["card_closed", "balance_limit_exceeded", "books_unbalanced", "clock_advancing"],
  examples: [
    {
      id: IDS.card,
      body: { comment: "No longer needed" },
      answer: { ...CARD, status: "closed", status_version: 2, balance: 0, available: 0 },
    },
  ],
});
