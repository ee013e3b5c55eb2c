import { createPosting as operation } from "#lib/operations/processor/create-posting.ts";
import type { BodyOf } from "#lib/api/edge/read-input.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";
import { toEffectReply } from "#lib/api/wire/processor-reply.ts";
import { bookOriginal } from "#lib/processor/taking-back.ts";
import { postForProcessor } from "#lib/processor/operations.ts";

const toPosting = ({ body }: { body: BodyOf<typeof operation> }) => ({
  cardId: body.card_id ?? null,
  authorizationReference: body.authorization_reference ?? null,
  amount: body.amount,
  final: body.final,
  ...cleanDescription(body),
});

export const POST = serveNetwork(operation, {
  change: async (ctx, input) =>
    toEffectReply(
      await bookOriginal(ctx, { operation: operation.id, reference: input.body.reference }, () =>
        postForProcessor(ctx, toPosting(input)),
      ),
    ),
  toFact: toPosting,
});
