import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { original, requireOneName, withOneName } from "#lib/operations/processor/original.ts";
import {
  SHARED_ERRORS,
  authorizationReference,
  occurredAt,
  reference,
  sentDescription,
} from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, REFUND } from "#lib/api/contract/samples.ts";

const NAMES = ["transaction_id", "authorization_reference", "original_reference"] as const;

export const createRefund = operation({
  id: "createRefund",
  method: "POST",
  path: "/processor/refunds",
  summary: "Refund to a card, with or without the purchase",
  description:
    "Recorded whatever the card's state is. One of transaction_id, authorization_reference, and original_reference may name what it refunds. It first gives back what float and deficit covered of the purchase; the rest stays on the card, or goes to the float if the card is closed. It may exceed its purchase, or have none: refund_exceeds then says so. If the card, the transaction, or the original is unknown, the report is kept for the operator and answered with fact_unmatched.",
  kind: "processor",
  scope: "processor",
  body: z
    .strictObject({
      reference,
      card_id: idSchema,
      amount: amountSchema.describe("How much to refund, in minor units of the card's currency."),
      transaction_id: idSchema.optional().describe("The purchase to refund."),
      authorization_reference: authorizationReference
        .optional()
        .describe(
          "The reference of the authorization whose captures to refund, all of them together. Before the first one, the refund has no purchase.",
        ),
      ...original,
      ...sentDescription,
      occurred_at: occurredAt,
    })
    .check(({ value, issues }) => requireOneName({ value, issues }, NAMES))
    .meta(withOneName(NAMES)),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, "fact_unmatched", "balance_limit_exceeded"],
  examples: [
    {
      body: {
        reference: "refund-8842",
        card_id: IDS.card,
        amount: 20,
        transaction_id: IDS.transaction,
      },
      answer: {
        data: { ...REFUND, narrative: null, merchant: null, actor: NETWORK_ACTOR },
      },
    },

    {
      body: { reference: "refund-8843", card_id: IDS.card, amount: 5 },
      answer: {
        data: {
          ...REFUND,
          narrative: null,
          merchant: null,
          refund_of: null,
          refund_exceeds: true,
          actor: NETWORK_ACTOR,
        },
      },
    },
    {
      body: {
        reference: "refund-8844",
        card_id: IDS.card,
        amount: 5,
        authorization_reference: "authorization-8842",
      },
    },
  ],
});
