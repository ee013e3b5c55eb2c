import { revokeOtherSessions as operation } from "#lib/operations/staff/revoke-other-sessions.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { revokeOtherSessions } from "#lib/staff/staff-self.ts";

export const DELETE = handleWrite(operation, async (ctx) => {
  await revokeOtherSessions(ctx);
  return { body: { message: "Ok" } };
});
