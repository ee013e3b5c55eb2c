import { freezeCard as operation } from "#lib/api/contract/cards.ts";
import { handleStatus } from "#lib/api/handle.ts";
import { toCardResource } from "#lib/card-resource.ts";

export const PATCH = handleStatus(
  operation,
  ({ id, body }) => ({ cardId: id, to: "frozen", ...body }),
  (card) => ({ body: toCardResource(card) }),
);
