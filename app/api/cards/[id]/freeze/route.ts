import { CARD_STATUS } from "#lib/api/replay/batched-acts.ts";
import { freezeCard as operation } from "#lib/operations/cards/freeze-card.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

export const PATCH = handleBatched(operation, CARD_STATUS, {
  toRequest: ({ id, body: { status_version: statusVersion, ...body } }) => ({
    cardId: id,
    to: "frozen" as const,
    statusVersion,
    ...body,
  }),
  toReply: (card) => ({ body: toCardResource(card) }),
});
