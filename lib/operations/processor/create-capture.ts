import { z } from "zod";
import { CHARGE_IS_WHOLE, requireWholeCharge } from "#lib/api/contract/merchant-charge.ts";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import {
  HOLD_ERRORS,
  SHARED_ERRORS,
  captured,
  occurredAt,
  reference,
  requireEnd,
  sentCharge,
  sentDescription,
  zeroNeeds,
} from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { CAPTURED, IDS } from "#lib/api/contract/samples.ts";

export const createCapture = operation({
  id: "createCapture",
  method: "POST",
  path: "/processor/authorizations/{id}/captures",
  summary: "Capture an authorization, in full or in part",
  description:
    "Records what the network has captured, whatever state the authorization and its card are in: it is never refused. Each further capture, and each capture of an authorization that has ended, is a transaction of its own, which names the authorization. posted_as says whether it was approved, and covered what the float paid, or is owed, because the card could not pay. An unknown authorization is answered with fact_unmatched.",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z
    .strictObject({
      reference,
      amount: captured
        .optional()
        .describe(
          "How much to capture, in minor units. Default: the whole remaining hold. Required for an authorization that holds nothing anymore. 0 with final only releases the rest of the hold.",
        ),
      final: z
        .boolean()
        .default(false)
        .describe(
          "Whether nothing more will be captured, so that the rest of the hold is released.",
        ),
      ...sentDescription,
      ...sentCharge,
      occurred_at: occurredAt,
    })
    .check(({ value, issues }) => {
      requireEnd(value, issues);
      requireWholeCharge(value, { issues });
    })
    .meta({ ...CHARGE_IS_WHOLE, ...zeroNeeds() }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, ...HOLD_ERRORS, "fact_unmatched", "balance_limit_exceeded"],
  examples: [
    {
      id: IDS.authorization,
      body: { reference: "capture-8842", amount: 5 },
      answer: { data: { ...CAPTURED, actor: NETWORK_ACTOR } },
    },

    { id: IDS.authorization, body: { reference: "capture-8843", amount: 5, final: true } },
    { id: IDS.authorization, body: { reference: "capture-8844", amount: 0, final: true } },
  ],
});
