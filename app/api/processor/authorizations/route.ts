import { createAuthorization as operation } from "#lib/operations/processor/create-authorization.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { toDecisionReply } from "#lib/api/wire/processor-reply.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";

export const POST = serveNetwork(operation, {
  toRequest: ({ body }) => ({
    cardId: body.card_id,
    amount: body.amount,
    currency: body.currency,
    allowPartial: body.allow_partial,
    ...cleanDescription(body),
    expiresInS: body.expires_in,
  }),
  toReply: (decision) => ({ body: toDecisionReply(decision) }),
});
