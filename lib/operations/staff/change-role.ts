import { z } from "zod";
import { staffSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { role } from "#lib/operations/staff/parts.ts";
import { PERSON } from "#lib/operations/staff/samples.ts";

export const changeRole = operation({
  id: "changeRole",
  method: "PATCH",
  path: "/staff/{id}",
  summary: "Change a staff member's role, which signs them out",
  description: "Only an owner may change an owner's role, or make someone an owner.",
  attempt: "change a role",
  kind: "write",
  scope: "staff:manage",
  approval: "trust",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  body: z.strictObject({ role }),
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient", "staff_last_owner"],
  examples: [
    {
      id: IDS.staff,
      body: { role: "viewer" },
      answer: { data: { ...PERSON, role: "viewer" } },
    },
  ],
});
