import { changePassword as operation } from "#lib/operations/staff/change-password.ts";
import { handlePrepared } from "#lib/api/edge/handle.ts";
import { changePassword, prepareOwnPassword } from "#lib/staff/staff-self.ts";

export const PATCH = handlePrepared(
  operation,
  ({ db, actor }, { body }) =>
    prepareOwnPassword(db, actor, {
      current: { password: body.current_password, member: "current_password" },
      next: { password: body.new_password, member: "new_password" },
    }),
  async (ctx, _input, proof) => {
    await changePassword(ctx, proof);
    return { body: { message: "Ok" } };
  },
);
