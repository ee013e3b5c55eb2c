import { revokeOwnSession as operation } from "#lib/operations/staff/revoke-own-session.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { revokeOwnSession } from "#lib/staff/staff-self.ts";

export const DELETE = serve(operation, {
  change: async (ctx, { id }) => {
    await revokeOwnSession(ctx, id);
    return { body: { message: "Ok" } };
  },
});
