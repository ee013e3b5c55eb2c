import { listStaff as operation } from "#lib/api/contract/staff.ts";
import { handleRead } from "#lib/api/handle.ts";
import { toLinkResource, toStaffResource } from "#lib/api/staff-resources.ts";
import { listStaff } from "#lib/staff.ts";
import { listInvitations } from "#lib/staff-links.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: {
    data: (await listStaff(ctx)).map(toStaffResource),
    invitations: (await listInvitations(ctx)).map(toLinkResource),
  },
}));
