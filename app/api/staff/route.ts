import { listStaff as operation } from "#lib/operations/staff/list-staff.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toLinkResource, toStaffResource } from "#lib/staff/staff-resource.ts";
import { listStaff } from "#lib/staff/staff.ts";
import { listInvitations } from "#lib/staff/staff-links.ts";

export const GET = serve(operation, {
  snapshot: async (ctx) => ({
    body: {
      data: (await listStaff(ctx)).map(toStaffResource),
      invitations: (await listInvitations(ctx)).map(toLinkResource),
    },
  }),
});
