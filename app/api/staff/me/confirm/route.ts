import { confirmSelf as operation } from "#lib/operations/staff/confirm-self.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { confirmSelf, provePassword } from "#lib/staff/staff-self.ts";

export const POST = serve(operation, {
  prepare: ({ db, actor }, { body }) =>
    provePassword(db, actor, { password: body.password, member: "password" }),
  change: async (ctx, { body }, admitted) => {
    await confirmSelf(ctx, { admitted, code: body.code });
    return { body: { message: "Ok" } };
  },
});
