import { z } from "zod";
import { text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/operations/operation.ts";
import { LINK_ERRORS, token } from "#lib/operations/staff/parts.ts";
import { PASSWORD, TOKEN } from "#lib/operations/staff/samples.ts";
import { passwordSchema } from "#lib/staff/password-rules.ts";

export const acceptInvitation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/staff/links/accept",
  summary: "Accept an invitation and choose a password",
  description: "Uses the link up. The person can then sign in.",
  kind: "public",
  scope: null,
  body: z.strictObject({
    token,
    first_name: text(),
    last_name: text(),
    password: passwordSchema,
  }),
  status: 201,
  answer: z.strictObject({ email: z.string() }),
  errors: ["email_already_registered", ...LINK_ERRORS],
  examples: [
    {
      needs: "invitation",
      body: { token: TOKEN, first_name: "Noor", last_name: "Haddad", password: PASSWORD },
      answer: { email: "noor@northwind.example" },
    },
  ],
});
