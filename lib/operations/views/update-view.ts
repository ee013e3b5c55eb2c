import { z } from "zod";
import { requireOne } from "#lib/api/contract/fields.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { viewSchema } from "#lib/api/contract/view.ts";
import { operation } from "#lib/operations/operation.ts";
import { VIEW_MEMBERS } from "#lib/operations/views/parts.ts";
import { VIEW } from "#lib/operations/views/samples.ts";

export const updateView = operation({
  id: "updateView",
  method: "PATCH",
  path: "/views/{id}",
  summary: "Change a saved view",
  description:
    "Send any of the members; the others keep their values. A shared view can be changed by its maker, unless they are a viewer, and by those who manage staff. Only its maker can make it private again.",
  attempt: "change a view",
  kind: "write",
  scope: "account:read",
  staffOnly: true,
  notFound: "view_not_found",
  body: z
    .strictObject(VIEW_MEMBERS)
    .partial()
    .check((context) => requireOne(context.value, ["name", "query", "shared"], context))
    .meta({ minProperties: 1 }),
  answer: z.strictObject({ data: viewSchema }),
  errors: ["role_insufficient"],
  examples: [
    {
      id: IDS.view,
      body: { query: "status=frozen", shared: true },
      answer: { data: { ...VIEW, query: "status=frozen", shared: true } },
    },
  ],
});
