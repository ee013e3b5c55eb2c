import { closeCard as operation } from "#lib/api/contract/cards.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toCardResource } from "#lib/card-resource.ts";
import { closeCard } from "#lib/cards.ts";

export const POST = handleWrite(operation, async (ctx, { id, body }) => ({
  body: toCardResource(await closeCard(ctx, id, body)),
}));
