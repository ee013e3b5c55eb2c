import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  SHARED_ERRORS,
  authorizationReference,
  reference,
  released,
} from "#lib/operations/processor/parts.ts";

export const createReversalByReference = operation({
  id: "createReversalByReference",
  method: "POST",
  path: "/processor/reversals",
  summary: "Reverse an authorization by its reference",
  description:
    "For a sender that did not get the id of its authorization. If the authorization has not arrived, data is null and the reversal is remembered: the authorization then holds that much less, and is declined with reversed_before if nothing is left of it and nothing was captured.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    authorization_reference: authorizationReference,
    amount: released,
  }),
  answer: z.strictObject({
    data: transactionSchema.nullable().describe("Null if there is nothing to reverse."),
  }),
  errors: [...SHARED_ERRORS, "balance_limit_exceeded"],
  examples: [
    {
      body: { reference: "reversal-8843", authorization_reference: "authorization-8844" },
      answer: { data: null },
    },
  ],
});
