import { z } from "zod";
import { email } from "#lib/api/contract/fields.ts";
import { linkSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { role } from "#lib/operations/staff/parts.ts";
import { LINK, URL } from "#lib/operations/staff/samples.ts";

export const inviteStaff = operation({
  id: "inviteStaff",
  method: "POST",
  path: "/staff/invitations",
  summary: "Invite a staff member by a one-time link, which is shown only once",
  description: "Send the link to the person yourself: nobody else sees it.",
  attempt: "invite a staff member",
  kind: "write",
  scope: "staff:manage",
  approval: "trust",
  staffOnly: true,
  fresh: true,
  secret: true,
  body: z.strictObject({ email, role }),
  status: 201,
  answer: z.strictObject({ data: linkSchema, link: z.string() }),
  errors: ["role_insufficient", "email_already_registered"],
  examples: [
    {
      body: { email: "noor@northwind.example", role: "viewer" },
      answer: { data: LINK, link: URL },
    },
  ],
});
