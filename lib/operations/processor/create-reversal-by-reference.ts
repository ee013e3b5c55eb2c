import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  authorizationReference,
  occurredAt,
  reference,
  released,
} from "#lib/operations/processor/parts.ts";

export const createReversalByReference = operation({
  id: "createReversalByReference",
  method: "POST",
  path: "/processor/reversals",
  summary: "Reverse an authorization by its reference",
  description:
    "For a sender that did not get the id of its authorization. If the authorization has not arrived, data is null, and when it does it is declined with reversed_before.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    authorization_reference: authorizationReference,
    amount: released,
    occurred_at: occurredAt,
  }),
  answer: z.strictObject({
    data: transactionSchema.nullable().describe("Null if there is nothing to reverse."),
  }),
  errors: [...SHARED_ERRORS, "authorization_not_found", "balance_limit_exceeded"],
  examples: [
    {
      body: { reference: "reversal-8843", authorization_reference: "authorization-8844" },
      answer: { data: null },
    },
  ],
});
