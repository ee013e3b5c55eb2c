import { z } from "zod";
import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { staffSchema } from "#lib/api/contract/staff.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { PERSON } from "#lib/operations/staff/samples.ts";

export const removeStaff = operation({
  id: "removeStaff",
  method: "DELETE",
  path: "/staff/{id}",
  summary: "Remove a staff member, who is signed out immediately",
  description:
    "The person's entries in the logs stay. API keys that they created work on, unless you revoke them too.",
  attempt: "remove a staff member",
  kind: "write",
  scope: "staff:manage",
  staffOnly: true,
  fresh: true,
  notFound: "staff_not_found",
  query: z.strictObject({
    revoke_api_keys: z
      .enum(["true", "false"])
      .default("false")
      .describe("Whether to revoke the API keys that the person created, too."),
  }),
  answer: z.strictObject({
    data: staffSchema,
    api_keys: z
      .array(apiKeySchema)
      .describe("The API keys that the person created and that worked until now, as they are now."),
  }),
  errors: ["role_insufficient", "staff_last_owner"],
  examples: [{ id: IDS.staff, answer: { data: PERSON, api_keys: [] } }],
});
