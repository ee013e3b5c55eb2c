import { changeRole as changeOperation } from "#lib/operations/staff/change-role.ts";
import { removeStaff as removeOperation } from "#lib/operations/staff/remove-staff.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toStaffResource } from "#lib/api/wire/staff-resources.ts";
import { changeRole, removeStaff } from "#lib/staff/staff.ts";

export const PATCH = handleWrite(changeOperation, async (ctx, { id, body }) => ({
  body: { data: toStaffResource(await changeRole(ctx, id, body.role)) },
}));

export const DELETE = handleWrite(removeOperation, async (ctx, { id }) => ({
  body: { data: toStaffResource(await removeStaff(ctx, id)) },
}));
