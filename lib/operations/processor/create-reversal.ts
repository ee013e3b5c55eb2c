import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/resources.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { HOLD_ERRORS, SHARED_ERRORS, reference } from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, REVERSED } from "#lib/api/contract/samples.ts";

export const createReversal = operation({
  id: "createReversal",
  method: "POST",
  path: "/processor/authorizations/{id}/reversals",
  summary: "Reverse an authorization: release its hold, in full or in part",
  description: "The funds become available on the card again.",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema.optional().describe("Default: the whole remaining hold."),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, ...HOLD_ERRORS, "reversal_exceeds_hold", "balance_limit_exceeded"],
  examples: [
    {
      id: IDS.authorization,
      body: { reference: "reversal-8842" },
      answer: { data: { ...REVERSED, actor: NETWORK_ACTOR } },
    },
  ],
});
