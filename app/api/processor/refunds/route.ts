import { createRefund as operation } from "#lib/operations/processor/create-refund.ts";
import type { BodyOf } from "#lib/api/edge/read-input.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { toOriginal } from "#lib/operations/processor/original.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";
import { refundForProcessor } from "#lib/processor/operations.ts";

const toRefund = ({ body }: { body: BodyOf<typeof operation> }) => ({
  cardId: body.card_id,
  transactionId: body.transaction_id ?? null,
  authorizationReference: body.authorization_reference ?? null,
  original: toOriginal(body),
  amount: body.amount,
  ...cleanDescription(body),
});

export const POST = serveNetwork(operation, {
  change: async (ctx, input) =>
    toEffectReply(
      await bookOriginal(ctx, { operation: operation.id, reference: input.body.reference }, () =>
        refundForProcessor(ctx, toRefund(input)),
      ),
    ),
  toFact: toRefund,
});
