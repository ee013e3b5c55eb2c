import { z } from "zod";
import { viewList, viewSchema } from "#lib/api/contract/view.ts";
import { operation } from "#lib/operations/operation.ts";
import { VIEW } from "#lib/operations/views/samples.ts";
import { VIEWS_MAX } from "#lib/views/view-lists.ts";

export const listViews = operation({
  id: "listViews",
  method: "GET",
  path: "/views",
  summary: "List the saved views of a list",
  description: `Your own views of a list of the dashboard, and those that the account shares, by name. There are at most ${VIEWS_MAX} of each.`,
  kind: "read",
  scope: "account:read",
  staffOnly: true,
  query: z.strictObject({ list: viewList.describe("The list whose views to return.") }),
  answer: z.strictObject({ data: z.array(viewSchema) }),
  examples: [{ query: { list: "cards" }, answer: { data: [VIEW] } }],
});
