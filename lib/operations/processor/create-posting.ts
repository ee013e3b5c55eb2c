import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { transactionSchema } from "#lib/api/contract/resources.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { SHARED_ERRORS, reference, sentDescription } from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, NETWORK_PURCHASE, PURCHASE } from "#lib/api/contract/samples.ts";

export const createPosting = operation({
  id: "createPosting",
  method: "POST",
  path: "/processor/captures",
  summary: "Record a purchase that was never authorized",
  description:
    "Records what the network has posted without an authorization, whatever the card's state is: it is never refused. The card pays if it is active; float and deficit cover what it cannot pay.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    card_id: idSchema,
    amount: amountSchema.describe("In the card's currency."),
    ...sentDescription,
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, "card_not_found", "balance_limit_exceeded"],
  examples: [
    {
      body: {
        reference: "posting-8842",
        card_id: IDS.card,
        amount: 450,
        ...NETWORK_PURCHASE,
      },
      answer: {
        data: { ...PURCHASE, posted_as: "without_authorization", actor: NETWORK_ACTOR },
      },
    },
  ],
});
