import { z } from "zod";
import { transactionSchema } from "#lib/api/contract/transaction.ts";
import { operation } from "#lib/operations/operation.ts";
import { SHARED_ERRORS, occurredAt, reference, released } from "#lib/operations/processor/parts.ts";
import { NETWORK_ACTOR } from "#lib/operations/processor/samples.ts";
import { IDS, REVERSED } from "#lib/api/contract/samples.ts";

export const createReversal = operation({
  id: "createReversal",
  method: "POST",
  path: "/processor/authorizations/{id}/reversals",
  summary: "Reverse an authorization: release its hold, in full or in part",
  description:
    "What is released becomes available on the card again: at most what is still held. A reversal of more, or of an authorization that holds nothing anymore, is answered with the authorization and releases no more than that.",
  kind: "processor",
  scope: "processor",
  notFound: "authorization_not_found",
  body: z.strictObject({
    reference,
    amount: released,
    occurred_at: occurredAt,
  }),
  answer: z.strictObject({ data: transactionSchema }),
  errors: [...SHARED_ERRORS, "balance_limit_exceeded"],
  examples: [
    {
      id: IDS.authorization,
      body: { reference: "reversal-8842" },
      answer: { data: { ...REVERSED, actor: NETWORK_ACTOR } },
    },
  ],
});
