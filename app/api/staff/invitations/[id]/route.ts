import { revokeInvitation as operation } from "#lib/api/contract/staff.ts";
import { handleWrite } from "#lib/api/handle.ts";
import { toLinkResource } from "#lib/api/staff-resources.ts";
import { revokeInvitation } from "#lib/staff-links.ts";

export const DELETE = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toLinkResource(await revokeInvitation(ctx, id)) },
}));
