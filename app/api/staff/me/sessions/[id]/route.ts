import { revokeOwnSession as operation } from "#lib/operations/staff/revoke-own-session.ts";
import { handleWrite } from "#lib/api/edge/handle.ts";
import { revokeOwnSession } from "#lib/staff/staff-self.ts";

export const DELETE = handleWrite(operation, async (ctx, { id }) => {
  await revokeOwnSession(ctx, id);
  return { body: { message: "Ok" } };
});
