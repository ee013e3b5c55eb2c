import { z } from "zod";
import { email } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/operations/operation.ts";
import { done } from "#lib/operations/staff/parts.ts";
import { DONE } from "#lib/operations/staff/samples.ts";

export const forgotPassword = operation({
  id: "forgotPassword",
  method: "POST",
  path: "/staff/links/forgot-password",
  summary: "Mail a one-time link for a new password to whoever signs in with this email",
  description:
    "The answer is the same for every email, which gets at most three messages an hour. The link works for an hour; the second factor stays.",
  kind: "public",
  scope: null,
  body: z.strictObject({ email }),
  answer: done,
  errors: ["rate_limited", "database_unavailable", "read_only"],
  examples: [{ body: { email: "noor@northwind.example" }, answer: DONE }],
});
