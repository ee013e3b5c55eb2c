import { confirmSelf as operation } from "#lib/operations/staff/confirm-self.ts";
import { handlePrepared } from "#lib/api/edge/handle.ts";
import { confirmSelf, provePassword } from "#lib/staff/staff-self.ts";

export const POST = handlePrepared(
  operation,
  ({ db, actor }, { body }) =>
    provePassword(db, actor, { password: body.password, member: "password" }),
  async (ctx, { body }, admitted) => {
    await confirmSelf(ctx, { admitted, code: body.code });
    return { body: { message: "Ok" } };
  },
);
