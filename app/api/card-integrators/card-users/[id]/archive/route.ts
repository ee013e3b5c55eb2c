import { archiveUser as operation } from "#lib/operations/cardholders/archive-user.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { archiveCardholder } from "#lib/cards/cardholder-archive.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toUserResource(await archiveCardholder(ctx, id)) },
  }),
});
