import { unarchiveUser as operation } from "#lib/operations/cardholders/unarchive-user.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toUserResource } from "#lib/cards/cardholder-resource.ts";
import { unarchiveCardholder } from "#lib/cards/cardholder-archive.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toUserResource(await unarchiveCardholder(ctx, id)) },
  }),
});
