import { z } from "zod";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  decisionShape,
  occurredAt,
  reference,
} from "#lib/operations/processor/parts.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const createIncrement = operation({
  id: "createIncrement",
  method: "POST",
  path: "/processor/authorizations/{id}/increments",
  summary: "Increment an authorization: more is held on the card, or the increment is declined",
  description:
    "Decided like an authorization, whose hold then grows. A decline is an answer too: 200, with the reason; the authorization stays as it was, and the id is that of the transaction that records the decline. If the authorization has ended, the increment is one of its own (increment_of), to which later captures and reversals apply; if it was reversed, the increment is declined with reversed_before.",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema.describe("How much more to hold, in minor units."),
    occurred_at: occurredAt,
  }),
  answer: z.strictObject({
    ...decisionShape,
    id: z
      .uuid()
      .describe("The authorization that grew, or the transaction that records the increment."),
  }),
  errors: SHARED_ERRORS,
  examples: [
    {
      id: IDS.authorization,
      body: { reference: "increment-8842", amount: 20 },
      answer: {
        id: IDS.authorization,
        decision: "approved",
        decline_reason: null,
        amount: 70,
        requested_amount: null,
        available: 1_930,
      },
    },

    { id: IDS.authorization, body: { reference: "increment-8843", amount: 1_000_000_000 } },
  ],
});
