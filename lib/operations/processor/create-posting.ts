import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { CHARGE_IS_WHOLE, requireWholeCharge } from "#lib/api/contract/merchant-charge.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  authorizationReference,
  captured,
  occurredAt,
  reference,
  requireEnd,
  sentCharge,
  sentDescription,
  zeroNeeds,
} from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, NETWORK_PURCHASE, PURCHASE } from "#lib/api/contract/samples.ts";

export const createPosting = operation({
  id: "createPosting",
  method: "POST",
  path: "/processor/captures",
  summary: "Record a purchase by its card, or by the reference of its authorization",
  description:
    "Records what the network has posted, whatever the card's state is: it is never refused. With authorization_reference it captures that authorization; if that has not arrived, posted_as is before_authorization, and it asks only for what it adds once it does. Without one the card pays if it is active, and float and deficit cover what it cannot pay. If the card is unknown, the report is kept for the operator and answered with fact_unmatched.",
  kind: "processor",
  scope: "processor",
  body: z
    .strictObject({
      reference,
      card_id: idSchema
        .optional()
        .describe("The id of the card. Required without authorization_reference."),
      authorization_reference: authorizationReference.optional(),
      amount: captured.describe(
        "What is billed to the card, in minor units of its currency. 0 with final only releases what the authorization still holds.",
      ),
      final: z
        .boolean()
        .default(false)
        .describe(
          "Whether nothing more of the authorization will be captured, so that the rest of its hold is released.",
        ),
      ...sentDescription,
      ...sentCharge,
      occurred_at: occurredAt,
    })
    .refine((body) => body.card_id !== undefined || body.authorization_reference !== undefined, {
      path: ["card_id"],
      message: "This field is required, unless authorization_reference is sent.",
    })
    .refine((body) => body.amount > 0 || body.authorization_reference !== undefined, {
      path: ["amount"],
      message:
        "This field must be at least 1, unless authorization_reference and final: true are sent.",
    })
    .check(({ value, issues }) => {
      requireEnd(value, issues);
      requireWholeCharge(value, { issues });
    })
    .meta({
      ...CHARGE_IS_WHOLE,
      anyOf: [{ required: ["card_id"] }, { required: ["authorization_reference"] }],
      ...zeroNeeds("authorization_reference"),
    }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, "fact_unmatched", "balance_limit_exceeded"],
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
