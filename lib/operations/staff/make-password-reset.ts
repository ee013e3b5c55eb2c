import { z } from "zod";
import { linkSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { LINK, URL } from "#lib/operations/staff/samples.ts";

export const makePasswordReset = operation({
  id: "makePasswordReset",
  method: "POST",
  path: "/staff/{id}/password-reset",
  summary: "Create a one-time link with which a staff member sets a new password",
  description: "Send the link to the person yourself: nobody else sees it.",
  attempt: "create a password reset link",
  kind: "write",
  scope: "staff:manage",
  approval: "trust",
  staffOnly: true,
  fresh: true,
  secret: true,
  notFound: "staff_not_found",
  status: 201,
  answer: z.strictObject({ data: linkSchema, link: z.string() }),
  errors: ["role_insufficient"],
  examples: [
    {
      id: IDS.staff,
      answer: { data: { ...LINK, kind: "password_reset", role: null }, link: URL },
    },
  ],
});
