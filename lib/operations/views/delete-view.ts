import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { viewSchema } from "#lib/api/contract/view.ts";
import { operation } from "#lib/operations/operation.ts";
import { VIEW } from "#lib/operations/views/samples.ts";

export const deleteView = operation({
  id: "deleteView",
  method: "DELETE",
  path: "/views/{id}",
  summary: "Delete a saved view",
  description: "A shared view can be deleted by its maker, and by those who manage staff.",
  attempt: "delete a view",
  kind: "write",
  scope: "account:read",
  staffOnly: true,
  notFound: "view_not_found",
  answer: z.strictObject({ data: viewSchema }),
  errors: ["role_insufficient"],
  examples: [{ id: IDS.view, answer: { data: VIEW } }],
});
