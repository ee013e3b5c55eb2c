import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { transactionSchema } from "#lib/api/contract/resources.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { SHARED_ERRORS, reference, sentDescription } from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, REFUND } from "#lib/api/contract/samples.ts";

export const createRefund = operation({
  id: "createRefund",
  method: "POST",
  path: "/processor/refunds",
  summary: "Refund a settled purchase to its card",
  description: "Refunds also arrive while the card is frozen.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema,
    transaction_id: idSchema
      .optional()
      .describe("Default: the newest purchase with at least that much not yet refunded."),
    ...sentDescription,
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [
    ...SHARED_ERRORS,
    "card_not_found",
    "transaction_not_found",
    "transaction_not_settled",
    "refund_exceeds_purchase",
    "balance_limit_exceeded",
  ],
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
