import { changePassword as operation } from "#lib/api/contract/staff.ts";
import { handlePrepared } from "#lib/api/handle.ts";
import { hashPassword } from "#lib/passwords.ts";
import { changePassword, provePassword } from "#lib/staff-self.ts";

export const PATCH = handlePrepared(
  operation,
  async ({ db, ...caller }, { body }) => ({
    admitted: await provePassword(db, caller, {
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
