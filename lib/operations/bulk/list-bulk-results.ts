import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { bulkResultSchema } from "#lib/api/contract/bulk.ts";
import { bulkResultFilter } from "#lib/operations/bulk/parts.ts";
import { operation } from "#lib/operations/operation.ts";

const RESULT = {
  position: 0,
  card_id: IDS.card,
  amount: null,
  level: null,
  state: "done",
  code: null,
  detail: null,
};

export const listBulkResults = operation({
  id: "listBulkResults",
  method: "GET",
  path: "/bulk/{id}/results",
  summary: "List what became of each card of a bulk job",
  description: "In the order of its items. Filter by state for what was refused.",
  kind: "read",
  scope: "cards:read",
  notFound: "bulk_job_not_found",
  query: z.strictObject({
    ...bulkResultFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(bulkResultSchema),
  examples: [
    {
      id: IDS.bulkJob,
      query: { state: "done,refused", limit: "15" },
      answer: { data: [RESULT], next_cursor: null },
    },
  ],
});
