import { z } from "zod";
import { staffSchema } from "#lib/api/contract/staff-resources.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { PERSON } from "#lib/operations/staff/samples.ts";

export const removeStaff = operation({
  id: "removeStaff",
  method: "DELETE",
  path: "/staff/{id}",
  summary: "Remove a staff member, who is signed out immediately",
  description: "The person's entries in the logs stay.",
  attempt: "remove a staff member",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient", "staff_last_owner"],
  examples: [{ id: IDS.staff, answer: { data: PERSON } }],
});
