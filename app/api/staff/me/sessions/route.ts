import { revokeOtherSessions as operation } from "#lib/api/contract/staff.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { revokeOtherSessions } from "#lib/staff/staff-self.ts";

export const DELETE = handleWrite(operation, async (ctx) => {
  await revokeOtherSessions(ctx);
  return { body: { message: "Ok" } };
});
