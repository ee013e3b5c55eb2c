import { z } from "zod";
import { viewList, viewSchema } from "#lib/api/contract/view.ts";
import { operation } from "#lib/operations/operation.ts";
import { VIEW_MEMBERS } from "#lib/operations/views/parts.ts";
import { VIEW } from "#lib/operations/views/samples.ts";
import { VIEWS_MAX } from "#lib/views/view-lists.ts";

export const createView = operation({
  id: "createView",
  method: "POST",
  path: "/views",
  summary: "Save a view of a list",
  description: `A view gives a name to what a list of the dashboard shows. A person may keep ${VIEWS_MAX} of their own, and an account may share ${VIEWS_MAX}.`,
  attempt: "save a view",
  kind: "write",
  scope: "account:read",
  staffOnly: true,
  body: z.strictObject({
    list: viewList,
    ...VIEW_MEMBERS,
  }),
  status: 201,
  answer: z.strictObject({ data: viewSchema }),
  errors: ["role_insufficient"],
  examples: [
    {
      body: { list: VIEW.list, name: VIEW.name, query: VIEW.query, shared: false },
      answer: { data: VIEW },
    },
    { body: { list: "float", name: VIEW.name, query: "", shared: true } },
  ],
});
