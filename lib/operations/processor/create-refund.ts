import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  occurredAt,
  reference,
  sentDescription,
} from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, REFUND } from "#lib/api/contract/samples.ts";

export const createRefund = operation({
  id: "createRefund",
  method: "POST",
  path: "/processor/refunds",
  summary: "Refund a settled purchase to its card",
  description:
    "Recorded whatever the card's state is. It first gives back what float and deficit covered of the purchase; the rest stays on the card, or goes to the float if the card is closed. It may exceed its purchase, or have none: refund_exceeds then says so. If the card or the transaction is unknown, the report is kept for the operator and answered with fact_unmatched.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema.describe("How much to refund, in minor units of the card's currency."),
    transaction_id: idSchema
      .optional()
      .describe(
        "The purchase to refund. Default: the newest purchase with at least that much not yet refunded, or none if there is no such purchase.",
      ),
    ...sentDescription,
    occurred_at: occurredAt,
  }),
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

    { needs: "purchase", body: { reference: "refund-8843", card_id: IDS.card, amount: 5 } },
  ],
});
