import { revokeOtherSessions as operation } from "#lib/operations/staff/revoke-other-sessions.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { revokeOtherSessions } from "#lib/staff/staff-self.ts";

export const DELETE = serve(operation, {
  change: async (ctx) => {
    await revokeOtherSessions(ctx);
    return { body: { message: "Ok" } };
  },
});
