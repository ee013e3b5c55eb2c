import { z } from "zod";
import { idSchema } from "#lib/api/contract/fields.ts";
import { floatSchema, FLOAT } from "#lib/api/contract/float.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { SHARED_ERRORS, reference } from "#lib/operations/processor/parts.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const createFunding = operation({
  id: "createFunding",
  method: "POST",
  path: "/processor/funding",
  summary: "Report funds received for an integrator's float",
  description: "The float has the funds as soon as this is answered.",
  kind: "processor",
  scope: "processor",
  body: z.strictObject({
    reference,
    integrator_id: idSchema.describe("The id of the account whose float received the funds."),
    amount: amountSchema.describe("How much was received, in minor units of the float's currency."),
  }),
  answer: z.strictObject({ data: floatSchema }),
  errors: [...SHARED_ERRORS, "integrator_not_found", "balance_limit_exceeded"],
  examples: [
    {
      body: { reference: "funding-8842", integrator_id: IDS.integrator, amount: 1_000_000 },
      answer: { data: FLOAT },
    },
  ],
});
