import { revokeInvitation as operation } from "#lib/operations/staff/revoke-invitation.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toLinkResource } from "#lib/staff/staff-resource.ts";
import { revokeInvitation } from "#lib/staff/staff-links.ts";

export const DELETE = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toLinkResource(await revokeInvitation(ctx, id)) },
  }),
});
