import { revokeSessions as operation } from "#lib/operations/staff/revoke-sessions.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { toStaffResource } from "#lib/api/wire/staff-resources.ts";
import { revokeSessions } from "#lib/staff/staff.ts";

export const POST = handleWrite(operation, async (ctx, { id }) => ({
  body: { data: toStaffResource(await revokeSessions(ctx, id)) },
}));
