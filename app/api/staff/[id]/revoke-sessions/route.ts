import { revokeSessions as operation } from "#lib/operations/staff/revoke-sessions.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toStaffResource } from "#lib/staff/staff-resource.ts";
import { revokeSessions } from "#lib/staff/staff.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toStaffResource(await revokeSessions(ctx, id)) },
  }),
});
