import { z } from "zod";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { creditBody } from "#lib/operations/funds/parts.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

const ALL_OR_AMOUNT =
  'This field must be a whole number of the minor unit, 1 to 1000000000000, or the string "all": 2000 is $20.00.';

export const debitCard = operation({
  id: "debitCard",
  method: "PATCH",
  path: "/cards/debit/balance",
  summary: 'Move funds from a card to the float; the amount "all" withdraws everything available',
  description: "Card down, float up, together or not at all. At most what is available.",
  attempt: "debit {card}",
  kind: "funds",
  scope: "funds:write",
  approval: "amount",
  since: "0.5.0",
  body: z.strictObject({
    ...creditBody.shape,
    amount: logSafe(z.union([amountSchema, z.literal("all")], ALL_OR_AMOUNT)).describe(
      'How much to move, in minor units, or "all" for everything available. Above 1000000000000, that takes several transfers at once, each with its own transaction and card.debited event.',
    ),
  }),
  answer: cardSchema,
  errors: [
    "card_not_found",
    "card_closed",
    "insufficient_card_balance",
    "balance_limit_exceeded",
    "books_unbalanced",
    "clock_advancing",
  ],
  examples: [
    {
      body: { card_id: IDS.card, amount: 500 },
      answer: { ...CARD, balance: 1_500, available: 1_500 },
    },

    { body: { card_id: IDS.card, amount: "all" } },
  ],
});
