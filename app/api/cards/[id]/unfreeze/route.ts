import { CARD_STATUS } from "#lib/api/replay/batched-acts.ts";
import { unfreezeCard as operation } from "#lib/operations/cards/unfreeze-card.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

export const PATCH = handleBatched(operation, CARD_STATUS, {
  toRequest: ({ id, body: { status_version: statusVersion, ...body } }) => ({
    cardId: id,
    to: "active" as const,
    reason: null,
    statusVersion,
    ...body,
  }),
  toReply: (card) => ({ body: toCardResource(card) }),
});
