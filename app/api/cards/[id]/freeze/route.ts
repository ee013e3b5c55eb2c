import { CARD_STATUS } from "#lib/api/replay/procedures.ts";
import { freezeCard as operation } from "#lib/operations/cards/freeze-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

export const PATCH = serve(operation, {
  decide: CARD_STATUS,
  toRequest: ({ id, body: { status_version: statusVersion, ...body } }) => ({
    cardId: id,
    to: "frozen" as const,
    statusVersion,
    ...body,
  }),
  toReply: (card) => ({ body: toCardResource(card) }),
});
