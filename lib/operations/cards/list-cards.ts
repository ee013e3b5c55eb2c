import { z } from "zod";
import { cursor, limit, page } from "#lib/api/contract/fields.ts";
import { cardFilter } from "#lib/api/contract/filters.ts";
import { cardSchema, CARD } from "#lib/api/contract/card.ts";
import { operation } from "#lib/operations/operation.ts";

export const listCards = operation({
  id: "listCards",
  method: "GET",
  path: "/cards",
  summary: "List cards, newest first. A Link header names the next page",
  description:
    "Without a total, so that it is as fast for many cards as for few. Follow the Link header to the next page.",
  kind: "read",
  linked: true,
  scope: "cards:read",
  query: z.strictObject({
    ...cardFilter,
    limit,
    page,
    cursor: cursor.optional().describe("The cursor in the Link header of the page before."),
  }),
  answer: z.array(cardSchema),
  examples: [{ query: { status: "active,frozen", limit: "15" }, answer: [CARD] }],
});
