import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  notBoth,
  original,
  requireOneName,
  withOneName,
} from "#lib/operations/processor/original.ts";
import {
  SHARED_ERRORS,
  authorizationReference,
  occurredAt,
  reference,
  released,
} from "#lib/operations/processor/parts.ts";

const NAMES = ["authorization_reference", "original_reference"] as const;
const ONE_NAME = withOneName(NAMES);

export const createReversalByReference = operation({
  id: "createReversalByReference",
  method: "POST",
  path: "/processor/reversals",
  summary: "Reverse an authorization, a purchase, or a refund by its reference",
  description:
    "If the authorization has not arrived, data is null, and when it does it holds that much less; if nothing is left of it, it is declined with reversed_before. With original_reference, that purchase or refund is taken back, once, or when it arrives.",
  kind: "processor",
  scope: "processor",
  body: z
    .strictObject({
      reference,
      authorization_reference: authorizationReference.optional(),
      ...original,
      amount: released,
      occurred_at: occurredAt,
    })
    .check(({ value, issues }) => requireOneName({ value, issues }, NAMES))
    .refine((body) => NAMES.some((name) => body[name] !== undefined), {
      path: ["authorization_reference"],
      message: "This field is required, unless original_reference is sent.",
    })
    .refine((body) => body.amount === undefined || body.original_reference === undefined, {
      path: ["amount"],
      message: "This field is not allowed with original_reference: all of it is taken back.",
    })
    .meta({
      ...ONE_NAME,
      allOf: [...ONE_NAME.allOf, notBoth("original_reference", "amount")],
      anyOf: NAMES.map((name) => ({ required: [name] })),
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
    {
      body: {
        reference: "reversal-8844",
        original_reference: "refund-8842",
        original_kind: "refund",
      },
    },
  ],
});
