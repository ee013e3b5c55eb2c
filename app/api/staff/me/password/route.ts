import { changePassword as operation } from "#lib/operations/staff/change-password.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { changePassword, prepareOwnPassword } from "#lib/staff/staff-self.ts";

export const PATCH = serve(operation, {
  prepare: ({ db, actor }, { body }) =>
    prepareOwnPassword(db, actor, {
      current: { password: body.current_password, member: "current_password" },
      next: { password: body.new_password, member: "new_password" },
    }),
  change: async (ctx, _input, proof) => {
    await changePassword(ctx, proof);
    return { body: { message: "Ok" } };
  },
});
