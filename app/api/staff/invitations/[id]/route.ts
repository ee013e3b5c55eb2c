import { revokeInvitation as operation } from "#lib/operations/staff/revoke-invitation.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toLinkResource } from "#lib/api/wire/staff-resources.ts";
import { revokeInvitation } from "#lib/staff/staff-links.ts";

export const DELETE = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toLinkResource(await revokeInvitation(ctx, id)) },
}));
