import { CARD_STATUS } from "#lib/api/commit/procedures.ts";
import { freezeCard as operation } from "#lib/operations/cards/freeze-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { requireSettable, toLiftable } from "#lib/cards/freeze-rights.ts";

export const PATCH = serve(operation, {
  decide: CARD_STATUS,
  toRequest: ({ id, body: { status_version: statusVersion, level, ...body } }, actor) => ({
    cardId: id,
    to: "frozen" as const,
    statusVersion,
    level: requireSettable(actor, level),
    mayLift: toLiftable(actor),
    ...body,
  }),
  toReply: (card) => ({ body: toCardResource(card) }),
});
