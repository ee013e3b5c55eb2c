import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { CREDIT_ERRORS, creditBody } from "#lib/operations/funds/parts.ts";
import { CREDIT_BODY } from "#lib/operations/funds/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const topUpCard = operation({
  id: "topUpCard",
  method: "PATCH",
  path: "/cards/top-up",
  summary: "Top up a card: the same as crediting it",
  description: "Use PATCH /cards/credit/balance instead.",
  attempt: "top up {card}",
  kind: "funds",
  scope: "funds:write",
  approval: "amount",
  deprecation: {
    since: "0.5.0",
    at: new Date("2026-01-01T00:00:00Z"),
    sunset: null,
    successor: "/cards/credit/balance",
    toSuccessorBody: (cardId) => ({ card_id: cardId, amount: 2_000 }),
  },
  body: creditBody,
  answer: cardSchema,
  errors: CREDIT_ERRORS,
  examples: [{ body: CREDIT_BODY, answer: CARD }],
});
