import { eraseUser as operation } from "#lib/operations/cardholders/erase-user.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { eraseCardholder } from "#lib/cards/cardholder-erasure.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toUserResource(await eraseCardholder(ctx, id)) },
  }),
});
