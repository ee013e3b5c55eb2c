import { changeRole as changeOperation } from "#lib/operations/staff/change-role.ts";
import { removeStaff as removeOperation } from "#lib/operations/staff/remove-staff.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toStaffResource } from "#lib/api/wire/staff-resources.ts";
import { changeRole, removeStaff } from "#lib/staff/staff.ts";

export const PATCH = serve(changeOperation, {
  change: async (ctx, { id, body }) => ({
    body: { data: toStaffResource(await changeRole(ctx, id, body.role)) },
  }),
});

export const DELETE = serve(removeOperation, {
  change: async (ctx, { id }) => ({
    body: { data: toStaffResource(await removeStaff(ctx, id)) },
  }),
});
