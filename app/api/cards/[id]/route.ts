import { getCard as getOperation } from "#lib/operations/cards/get-card.ts";
import { updateCard as updateOperation } from "#lib/operations/cards/update-card.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { readCard } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { updateCard } from "#lib/cards/card-update.ts";

export const GET = serve(getOperation, {
  reads: async (readOne, { id }) => ({
    body: toCardResource(await readCard(readOne, id)),
  }),
});

export const PATCH = serve(updateOperation, {
  update: (ctx, { id, body }) => updateCard(ctx, id, body),
  toBody: toCardResource,
});
