import { CARD_STATUS } from "#lib/api/commit/procedures.ts";
import { unfreezeCard as operation } from "#lib/operations/cards/unfreeze-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { toLiftable } from "#lib/cards/freeze-rights.ts";

export const PATCH = serve(operation, {
  decide: CARD_STATUS,
  toRequest: ({ id, body: { status_version: statusVersion, level = null, ...body } }, actor) => ({
    cardId: id,
    to: "active" as const,
    statusVersion,
    level,
    mayLift: toLiftable(actor),
    ...body,
  }),
  toReply: (card) => ({ body: toCardResource(card) }),
});
