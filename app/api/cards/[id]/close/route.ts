import { closeCard as operation } from "#lib/operations/cards/close-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { closeCard } from "#lib/funds/close-card.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body }) => ({
    body: toCardResource(await closeCard(ctx, id, body)),
  }),
});
