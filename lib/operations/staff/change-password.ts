import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { done, self, typedPassword } from "#lib/operations/staff/parts.ts";
import { DONE, PASSWORD } from "#lib/operations/staff/samples.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";

export const changePassword = operation({
  ...self,
  id: "changePassword",
  method: "PATCH",
  path: "/staff/me/password",
  summary: "Change your password, which ends your other sessions",
  description: "The session that asks for it stays.",
  attempt: "change their password",
  secret: true,
  body: z.strictObject({
    current_password: typedPassword.describe("Your password until now."),
    new_password: passwordSchema.describe("Your password from now on."),
  }),
  answer: done,
  errors: [],
  examples: [
    {
      needs: "password",
      body: { current_password: PASSWORD, new_password: "an even longer password" },
      answer: DONE,
    },
  ],
});
