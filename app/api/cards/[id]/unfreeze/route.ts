import { unfreezeCard as operation } from "#lib/api/contract/cards.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toCardResource } from "#lib/card-resource.ts";
import { unfreezeCard } from "#lib/cards.ts";

export const PATCH = handleWrite(operation, async (ctx, { id, body }) => ({
  body: toCardResource(await unfreezeCard(ctx, id, body)),
}));
