import { listStaff as operation } from "#lib/operations/staff/list-staff.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { toLinkResource, toStaffResource } from "#lib/api/wire/staff-resources.ts";
import { listStaff } from "#lib/staff/staff.ts";
import { listInvitations } from "#lib/staff/staff-links.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: {
    data: (await listStaff(ctx)).map(toStaffResource),
    invitations: (await listInvitations(ctx)).map(toLinkResource),
  },
}));
