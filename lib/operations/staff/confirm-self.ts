import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { done, self, typedPassword } from "#lib/operations/staff/parts.ts";
import { DONE, PASSWORD } from "#lib/operations/staff/samples.ts";

export const confirmSelf = operation({
  ...self,
  id: "confirmSelf",
  method: "POST",
  path: "/staff/me/confirm",
  summary: "Reauthenticate for operations that require a recent sign-in",
  description: "Counts for five minutes. code is for people with two-factor authentication.",
  attempt: "confirm their identity",
  secret: true,
  body: z.strictObject({
    password: typedPassword.describe("Your password."),
    code: z
      .string()
      .max(32)
      .nullable()
      .default(null)
      .describe(
        "A code from your authenticator app, or a recovery code; null without two-factor authentication.",
      ),
  }),
  answer: done,
  errors: [],
  examples: [{ needs: "password", body: { password: PASSWORD }, answer: DONE }],
});
