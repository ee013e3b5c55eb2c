import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { LINK_ERRORS, token } from "#lib/operations/staff/parts.ts";
import { PASSWORD, TOKEN } from "#lib/operations/staff/samples.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";

export const resetPassword = operation({
  id: "resetPassword",
  method: "POST",
  path: "/staff/links/reset-password",
  summary: "Set a new password with a one-time link",
  description: "Uses the link up, and signs the person out everywhere.",
  kind: "public",
  scope: null,
  body: z.strictObject({ token, password: passwordSchema }),
  answer: z.strictObject({ email: z.string() }),
  errors: LINK_ERRORS,
  examples: [
    {
      needs: "password reset",
      body: { token: TOKEN, password: PASSWORD },
      answer: { email: "noor@northwind.example" },
    },
  ],
});
