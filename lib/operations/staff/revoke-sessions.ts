import { z } from "zod";
import { staffSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { PERSON } from "#lib/operations/staff/samples.ts";

export const revokeSessions = operation({
  id: "revokeSessions",
  method: "POST",
  path: "/staff/{id}/revoke-sessions",
  summary: "Sign a staff member out everywhere",
  description: "The person has to sign in again, in every browser.",
  attempt: "sign a staff member out",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  answer: z.strictObject({ data: staffSchema }),
  errors: ["role_insufficient"],
  examples: [{ id: IDS.staff, answer: { data: PERSON } }],
});
