import { createAuthorization as operation } from "#lib/operations/processor/create-authorization.ts";
import { serveNetwork } from "#lib/api/edge/serve-network.ts";
import { cleanDescription } from "#lib/processor/clean-description.ts";

export const POST = serveNetwork(operation, {
  toRequest: ({ body }) => ({
    cardId: body.card_id,
    amount: body.amount,
    currency: body.currency,
    ...cleanDescription(body),
    expiresInS: body.expires_in,
  }),
  toReply: ({ transaction, declineReason, available }) => ({
    body: {
      id: transaction?.id ?? null,
      decision: declineReason === null ? ("approved" as const) : ("declined" as const),
      decline_reason: declineReason,
      available,
    },
  }),
});
