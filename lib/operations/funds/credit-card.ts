import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { CREDIT_ERRORS, creditBody } from "#lib/operations/funds/parts.ts";
import { CREDIT_BODY } from "#lib/operations/funds/samples.ts";
import { operation } from "#lib/operations/operation.ts";

export const creditCard = operation({
  id: "creditCard",
  method: "PATCH",
  path: "/cards/credit/balance",
  summary: "Move funds from the float to a card",
  description:
    "Float down, card up, together or not at all. Send an Idempotency-Key, so that a retry never moves the funds twice.",
  attempt: "credit {card}",
  kind: "funds",
  scope: "funds:write",
  approval: "amount",
  since: "0.5.0",
  body: creditBody,
  answer: cardSchema,
  errors: CREDIT_ERRORS,
  examples: [{ body: CREDIT_BODY, answer: CARD }],
});
