import { getCard as operation } from "#lib/api/contract/cards.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

export const GET = handleReadOnce(operation, async (ctx, { id }) => ({
  body: toCardResource(await getCard(ctx, id)),
}));
