import { z } from "zod";
import { linkSchema, staffSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { LINK, PERSON } from "#lib/operations/staff/samples.ts";

export const listStaff = operation({
  id: "listStaff",
  method: "GET",
  path: "/staff",
  summary: "List staff members and pending invitations",
  description: "Everyone who can sign in, and everyone who is invited.",
  kind: "read",
  scope: "staff:manage",
  staffOnly: true,
  answer: z.strictObject({
    data: z.array(staffSchema),
    invitations: z.array(linkSchema).describe("Invitations that can still be accepted."),
  }),
  examples: [{ answer: { data: [PERSON], invitations: [LINK] } }],
});
