import { closeCard as operation } from "#lib/operations/cards/close-card.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { closeCard } from "#lib/funds/close-card.ts";

export const POST = handleWrite(operation, async (ctx, { id, body }) => ({
  body: toCardResource(await closeCard(ctx, id, body)),
}));
