import { createRefund as operation } from "#lib/operations/processor/create-refund.ts";
import type { BodyOf } from "#lib/api/edge/read-input.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { refundForProcessor } from "#lib/processor/operations.ts";

const toRefund = ({ body }: { body: BodyOf<typeof operation> }) => ({
  cardId: body.card_id,
  transactionId: body.transaction_id ?? null,
  amount: body.amount,
  ...cleanDescription(body),
});

export const POST = serveNetwork(operation, {
  change: async (ctx, input) => toEffectReply(await refundForProcessor(ctx, toRefund(input))),
  toFact: toRefund,
});
