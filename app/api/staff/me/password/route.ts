import { changePassword as operation } from "#lib/api/contract/staff.ts";
import { handlePrepared } from "#lib/api/edge/handle.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { changePassword, provePassword } from "#lib/staff/staff-self.ts";

export const PATCH = handlePrepared(
  operation,
  async ({ db, actor }, { body }) => ({
    admitted: await provePassword(db, actor, {
      password: body.current_password,
      member: "current_password",
    }),
    passwordHash: await hashPassword(body.new_password),
  }),
  async (ctx, _input, proof) => {
    await changePassword(ctx, proof);
    return { body: { message: "Ok" } };
  },
);
