import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/resources.ts";
import { amountSchema } from "#lib/base/money-schemas.ts";
import { operation } from "#lib/operations/operation.ts";
import { HOLD_ERRORS, SHARED_ERRORS, reference } from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { CAPTURED, IDS } from "#lib/api/contract/samples.ts";

export const createCapture = operation({
  id: "createCapture",
  method: "POST",
  path: "/processor/authorizations/{id}/captures",
  summary: "Capture an authorization, in full or in part",
  description:
    "Moves held funds off the card. Each further capture is a transaction of its own, which names the authorization.",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: amountSchema
      .optional()
      .describe(
        "Default: the whole remaining hold. May exceed the hold by the installation's tolerance, but not while the card is frozen.",
      ),
    final: z
      .boolean()
      .default(false)
      .describe("Nothing more will be captured: the rest of the hold is released."),
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [
    ...SHARED_ERRORS,
    ...HOLD_ERRORS,
    "capture_exceeds_authorization",
    "insufficient_card_balance",
    "balance_limit_exceeded",
  ],
  examples: [
    {
      id: IDS.authorization,
      body: { reference: "capture-8842", amount: 5 },
      answer: { data: { ...CAPTURED, actor: NETWORK_ACTOR } },
    },

    { id: IDS.authorization, body: { reference: "capture-8843", amount: 5, final: true } },
  ],
});
