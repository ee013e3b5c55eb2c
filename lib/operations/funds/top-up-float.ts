import { z } from "zod";
import { floatSchema, FLOAT } from "#lib/api/contract/float.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";

export const topUpFloat = operation({
  id: "topUpFloat",
  method: "PATCH",
  path: "/card-integrators/top-up-float",
  summary: "Top up the float, as a bank transfer would; sandbox only",
  description: "Simulates a bank transfer. In live, the card network reports funds.",
  attempt: "top up the float",
  kind: "funds",
  scope: "sandbox:write",
  approval: "amount",
  since: "0.2.0",
  sandboxOnly: true,
  body: z.strictObject({
    amount: amountSchema.describe("How much arrives, in minor units of the float's currency."),
  }),
  answer: z.strictObject({
    message: z.literal("Balance updated successfully").describe("Always the same sentence."),
    data: floatSchema,
  }),
  errors: ["balance_limit_exceeded", "books_unbalanced", "clock_advancing"],
  examples: [
    {
      body: { amount: 1_000_000 },
      answer: { message: "Balance updated successfully", data: FLOAT },
    },
  ],
});
