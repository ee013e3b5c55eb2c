import { getCard as operation } from "#lib/api/contract/cards.ts";
import { handleRead } from "#lib/api/handle.ts";
import { getCard } from "#lib/card-reads.ts";
import { toCardResource } from "#lib/card-resource.ts";

export const GET = handleRead(operation, async (ctx, { id }) => ({
  body: toCardResource(await getCard(ctx, id)),
}));
